#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# set and reset by files and by AMD's library leave the same state, and AMD's program says the same as rocenv. The
# GPUs start in every state that a node can be in: auto, manual with limits, another tool's 1500 MHz, a lost limit.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/checks.sh"

put "${gpus[1]}" "$level" manual
put "${gpus[1]}" "$table" "s 0 500" "s 1 1700" "m 1 1000" c
rocm-smi --setperfdeterminism 1500 -d 2 >/dev/null
rocm-smi --setperfdeterminism 1600 -d 3 >/dev/null
lab reset "${gpus[3]}"
clean
start=$(state)
expect "start" "$start" "$(everywhere 'level auto range 132-2100 memory 1300 firmware 0' | sed \
    -e '2s/level.*/level manual range 500-1700 memory 1000 firmware 0/' \
    -e '3s/level.*/level perf_determinism range 132-1500 memory 1300 firmware 1500/' \
    -e '4s/level.*/level perf_determinism range 132-2100 memory 1300 firmware 0/')"
levels_before=$(levels)
all_before=$(rocm-smi -a 2>&1 | grep -v '^WARNING')
expect "start: levels" "$levels_before" "$(levels_held | as_spoken)"
clean

old_values='changed 1500 1900 null
changed lost 1900 null
changed off 1900 null'
there_and_back() { # NAME OPTION...
    local name=$1
    shift
    run_json set "${request[@]}" --dry-run "$@"
    expect "$name: dry run" "$status" 0
    run_json set "${request[@]}" "$@"
    expect "$name: set" "$status" 0
    expect "$name: set says what was there" "$(outcomes)" "$old_values"
    expect "$name: held" "$(state)" "$(everywhere 'level perf_determinism range 132-1900 memory 1300 firmware 1900')"
    stored=$(lab state)
    nothing_left "$name set"
    expect "$name: rocm-smi's levels" "$(levels)" "$(levels_held | as_spoken)"
    if [ "$ROCM" = 6 ]; then all_says_limit "$name"; fi
    run_json status
    expect "$name: rocenv status" "$(jq -r '.entries[].present' <<<"$json" | sort -u)" 1900
    clean_shared
    run check "${request[@]}" --gpu-backend rsmi
    expect "$name: check" "$status" 0
    expect "$name: the library's opinion" "$(grep -c ': level determinism (sysfs: perf_determinism)$' <<<"$out")" 8
    run_json reset "$@"
    expect "$name: reset" "$status" 0
    expect "$name: reset says that all is back" "$(jq -r '.findings[].put_back' <<<"$json" | sort -u)" yes
    expect "$name: as at the start" "$(state)" "$start"
    nothing_left "$name reset"
    expect "$name: rocm-smi's levels as at the start" "$(levels)" "$levels_before"
    expect "$name: rocm-smi -a as at the start" "$(rocm-smi -a 2>&1 | grep -v '^WARNING')" "$all_before"
    expect "$name: nothing recorded" "$(ls /run/rocenv)" lock
    clean
}
# Version 5 gives up at the clock of a GPU that sleeps (an assertion), long before the limits.
all_says_limit() {
    local all
    all=$(rocm-smi -a 2>&1)
    expect "$1: rocm-smi -a: levels" "$(grep -c 'Performance Level: perf_determinism$' <<<"$all")" 8
    expect "$1: rocm-smi -a: limits" "$(grep -c 'Valid sclk range: 132Mhz - 1900Mhz$' <<<"$all")" 8
    expect "$1: rocm-smi -a ends well" "$(grep -c 'End of ROCm SMI Log' <<<"$all")" 1
}
clean_shared() { rm -rf /dev/shm/* /tmp/*; }

there_and_back files
by_files=$stored
there_and_back library --gpu-backend rsmi
expect "what is stored in the drivers, too, is the same by both" "$stored" "$by_files"

# AMD's program takes back what rocenv set, and rocenv says so.
run set "${request[@]}"
rocm-smi --resetperfdeterminism >/dev/null
run_json status
expect "rocm-smi took it back: status" "$status" 5
