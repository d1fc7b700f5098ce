#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A driver that refuses, forgets, is stuck, loses a GPU or resets it: what the GPUs hold in the end is what was there
# before, or rocenv names what is not.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/checks.sh"

victim=${gpus[2]}
start=$(state)
untouched='level auto range 132-2100 memory 1300 firmware 0'
limited='level perf_determinism range 132-1900 memory 1300 firmware 1900'
others() { grep -v "^$victim"; }
# Compares the time of the last run with the contract's limit: the deadline, 20 s for a rollback, and one.
in_time() { expect "$1: in time" "$((seconds <= $2)) ($seconds s)" "1 ($seconds s)"; }

begin() { # all as at the start, no fault, nothing recorded
    lab heal
    for gpu in "${gpus[@]}"; do put "$gpu" "$level" auto; done
    clean
}
# Checks a set that fails at one write: the failure is reported, and all old values are restored.
refused() { # NAME ERRNO-OR-TEXT OPTION...
    local name=$1 text=$2
    shift 2
    run_json set "${request[@]}" "$@"
    expect "$name: set" "$status" 4
    expect_text "$name: the file is named" "$out" "$victim/"
    expect_text "$name: why" "$out" "$text"
    expect "$name: failed, and is back" "$(outcome_of "$victim")" "failed off off yes"
    expect "$name: all as before" "$(state)" "$start"
    expect "$name: nothing recorded" "$(find /run/rocenv -type f ! -name lock)" ""
    lab heal
}

# Each of the three writes, each errno the driver knows.
for error in EINVAL EPERM EBUSY; do
    lab refuse "$victim/$level" "$error" perf && refused "$error at the level" "$error"
    lab refuse "$victim/$table" "$error" s && refused "$error at the limit" "$error"
    lab refuse "$victim/$table" "$error" c && refused "$error at the commit" "$error"
done
# The library reports no errno.
lab refuse "$victim/$table" EINVAL c && refused "refused to the library" "status 2" --gpu-backend rsmi
lab ignore "$victim/$table" c && refused "a limit that does not stick" "the write succeeded, but the file reads 2100, not 1900"
lab ignore "$victim/$level" && refused "a level that does not stick" "$victim/"
lab ignore "$victim/$table" c && refused "does not stick by the library" "the write succeeded, but the file reads 2100, not 1900" --gpu-backend rsmi

# A file that cannot be read: that GPU is not touched, the others are set.
begin
lab unread "$victim/$table" EPERM
run_json set "${request[@]}"
expect "unreadable: set" "$status" 3
expect "unreadable: nothing is told of a way back" "$(outcome_of "$victim")" "unknown null null null"
expect_text "unreadable: the file is named" "$out" "$victim/$table"
expect "unreadable: the others" "$(state | others)" "$(everywhere "$limited" | others)"
expect "unreadable: that GPU is not touched" "$(state | grep "^$victim")" "$victim $untouched"
lab heal
run reset
expect "unreadable: reset" "$status:$(state)" "0:$start"

# A limit that does not stick, recommended only: put back alone.
begin
printf '[profile]\nname = "lab"\nsummary = "lab"\n[settings]\n"gpu.determinism" = { value = 1900, level = "recommended" }\n' >/mnt/bin/lab.toml
lab refuse "$victim/$table" EINVAL c
run_json set -p /mnt/bin/lab.toml
expect "recommended: set" "$status" 0
expect "recommended: it says what is back and what stands" "$(outcomes)" "$(printf 'changed off 1900 null\nfailed off off yes')"
expect "recommended: put back alone" "$(state)" "$(everywhere "$limited" | sed "s/^$victim .*/$victim $untouched/")"
lab heal
run reset
expect "recommended: reset" "$status:$(state)" "0:$start"

# A read that never returns.
begin
lab block "$victim/$table"
run check "${request[@]}" --timeout 2
in_time "stuck read, check" 6
expect "stuck read: check" "$status" 1
expect_text "stuck read: check names the file" "$out" "$victim/$table: no answer in 2 s"
expect_text "stuck read: check tells of the others" "$out" "off, expected 1900"
run set "${request[@]}" --timeout 2 --deadline 12
in_time "stuck read, set" 13
expect "stuck read: set" "$status" 3
expect_text "stuck read: set names the file" "$out" "$victim/$table: no answer in 2 s"
expect "stuck read: that GPU is not touched" "$(state | grep "^$victim")" "$victim $untouched"
lab heal
run reset
expect "stuck read: reset" "$status:$(state)" "0:$start"

# A write that never returns: the others go back, and reset ends it when the driver is there again.
begin
lab block "$victim/$table" c
run_json set "${request[@]}" --timeout 1 --deadline 8
in_time "stuck write" 29
expect "stuck write: set" "$status" 5
expect "stuck write: that GPU is not back" "$(outcome_of "$victim")" "failed off unknown no"
expect_text "stuck write: the file is named" "$out" "$victim/$table: no answer in 1 s"
expect_text "stuck write: the GPU is named" "$out" "gpu.determinism $victim could not be restored, its present value is unknown"
expect "stuck write: the others are back" "$(state | others)" "$(others <<<"$start")"
expect "stuck write: one \"rocenv:\" a line" "$(grep -c 'rocenv: rocenv:' <<<"$out")" 0
lab heal
run reset
expect "stuck write: reset" "$status:$(state)" "0:$start"

# The whole GPU is stuck between set and reset.
begin
run set "${request[@]}"
lab block "$victim/*"
run_json reset --timeout 1 --deadline 8
in_time "stuck GPU" 21
expect "stuck GPU: reset" "$status" 5
expect "stuck GPU: named" "$(outcome_of "$victim")" "failed unknown unknown no"
expect "stuck GPU: the others are back" "$(state | others)" "$(others <<<"$start")"
lab heal
run reset
expect "stuck GPU: second reset" "$status:$(state)" "0:$start"

# A GPU that is gone between set and reset, and comes back.
begin
run set "${request[@]}"
lab remove "$victim"
run check -p mi300x --only gpu.count
expect_text "gone: check sees seven" "$out" "7 x AMD"
run_json reset
expect "gone: reset" "$status" 5
expect "gone: named" "$(outcome_of "$victim")" "failed unknown unknown no"
expect "gone: the others are back" "$(state | others)" "$(others <<<"$start")"
lab return "$victim"
run reset
expect "gone: reset when it is back" "$status:$(state)" "0:$start"

# A GPU reset takes the limit, and the limit only.
begin
run set "${request[@]}"
lab reset "$victim"
expect "reset by the driver: what the driver holds" "$(state | grep "^$victim")" \
    "$victim level perf_determinism range 132-2100 memory 1300 firmware 0"
run check "${request[@]}"
expect "reset by the driver: check" "$status" 1
expect_text "reset by the driver: lost" "$out" "lost, expected 1900"
run status
expect "reset by the driver: status, it counts as ours" "$status" 1
expect_text "reset by the driver: status says it" "$out" "reads lost"
run_json set "${request[@]}"
expect "reset by the driver: set says that it was lost" "$(outcome_of "$victim")" "changed lost 1900 null"
expect "reset by the driver: set arms it again" "$status:$(state)" "0:$(everywhere "$limited")"
lab reset "$victim"
run_json reset
expect "reset by the driver: reset" "$status:$(state)" "0:$start"
run status
expect "reset by the driver: nothing recorded" "$status" 0
