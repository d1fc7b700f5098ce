# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # variables are for the scenarios
# Functions that the scenarios share. They run in tests/driver/inside, each with the generation of AMD's library (5 or 6) as its
# argument, and print "ok …" and "not ok …".
set -uo pipefail
export ROCM=${1:-5}
cd /mnt || exit
devices=/sys/bus/pci/devices
level=power_dpm_force_performance_level
table=pp_od_clk_voltage
mapfile -t gpus < <(lab state | cut -d' ' -f1)
request=(-p host --want gpu.determinism=1900 --only gpu.determinism)

expect() { # NAME FOUND EXPECTED
    if [ "$2" = "$3" ]; then echo "ok $ROCM $1"; else printf 'not ok %s: found, wanted:\n%s\n' "$ROCM $1" "$(diff <(echo "$2") <(echo "$3"))"; fi
}
expect_text() { # NAME TEXT PART
    if [[ $(tr -s '\n ' ' ' <<<"$2") == *"$3"* ]]; then echo "ok $ROCM $1"; else echo "not ok $ROCM $1: no \"$3\" in: $2"; fi
}

# rocenv where that generation of the library is found: output in $out, errors with it, status in $status.
on() {
    if [ "$ROCM" = 6 ]; then chroot /mnt/root "$@"; else LD_LIBRARY_PATH=/mnt/rocm-5/usr/lib "$@"; fi
}
run() {
    begun=$(date +%s)
    out=$(on /mnt/bin/rocenv "$@" 2>&1)
    status=$?
    seconds=$(($(date +%s) - begun))
}

# Runs the same with JSON and compares it with its schema: the JSON is in $json, and in $out with the errors.
run_json() { # COMMAND ARGUMENT...
    local kind=report
    [ "$1" != status ] || kind=status
    begun=$(date +%s)
    json=$(on /mnt/bin/rocenv "$@" --format json 2>/mnt/said)
    status=$?
    seconds=$(($(date +%s) - begun))
    out=$json$'\n'$(cat /mnt/said)
    expect "JSON of $*" "$(project/tests/report/validate "$kind" <<<"$json" 2>&1)" ""
}
outcome_of() { # GPU: outcome, what it held, what it holds, whether that is back
    jq -r --arg gpu "$1" '.findings[] | select(.target == $gpu) | "\(.outcome) \(.was) \(.have) \(.put_back)"' <<<"$json"
}
outcomes() { # the same of all but variables, each once
    jq -r '.findings[] | select(.id | startswith("env.") | not) | "\(.outcome) \(.was) \(.have) \(.put_back)"' <<<"$json" | sort -u
}

# Prints the state of driver and firmware, without values that were only stored.
state() { lab state | sed 's/ wanted.*//'; }
put() { # GPU FILE TEXT...
    local gpu=$1 file=$2 text
    for text in "${@:3}"; do echo "$text" >"$devices/$gpu/$file"; done
}
everywhere() { lab state | sed "s/ .*/ $1/"; } # the state if all GPUs were so

# Levels by AMD's program, in its order, one a line.
levels() { rocm-smi --showperflevel | sed -n 's/.*Performance Level: //p'; }
# By the driver's files, in the order of the addresses.
levels_held() { for gpu in "${gpus[@]}"; do cat "$devices/$gpu/$level"; done; }
# Version 5 has no word for determinism.
as_spoken() { if [ "$ROCM" = 5 ]; then sed 's/perf_determinism/unknown/'; else cat; fi; }

nothing_left() { # NAME: the library's files for everybody are not rocenv's
    expect "$1: nothing left in /dev/shm and /tmp" "$(ls /dev/shm /tmp)" "$(printf '/dev/shm:\n\n/tmp:')"
}
clean() { rm -rf /run/rocenv/* /dev/shm/* /tmp/*; }
