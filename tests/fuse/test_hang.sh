#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Kernel files that never answer: check ends in time, names them, and reports the rest. A caller stuck in
# such a read cannot be killed, as in a real driver.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit
rocenv=$(realpath "${ROCENV:-build/dev/rocenv}")
hangfs=${HANGFS:-build/dev/tests/hangfs}
machine=$(realpath "${MACHINES:-build/machines}")/mi300x-spx
scratch=$(mktemp -d)
mnt=$scratch/mnt
server='' watchdog=''
faults=()

skip() { echo "skip hang: $1" && exit 0; }
[ -w /dev/fuse ] || skip "/dev/fuse cannot be opened"
[ -x "$hangfs" ] || skip "hangfs was not built (Debian: libfuse3-dev)"

mount_hanging() { # FLAG PATH
    mkdir -p "$mnt"
    # shellcheck disable=SC2086 # no flag is no word
    "$hangfs" --over "$machine" $1 "$mnt" "$2" 2>"$scratch/hangfs.log" &
    server=$!
    # Unmounts if the program under test hangs, so that the test continues.
    (trap 'kill $!; exit' TERM; sleep 15 & wait; kill -9 "$server") >/dev/null 2>&1 &
    watchdog=$!
    for _ in {1..100}; do
        if mountpoint -q "$mnt"; then return 0; fi
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.05
    done
    return 1
}

# Killing the server fails every call that waits for it; only then can the callers end.
unmount() {
    [ -n "$server" ] || return 0
    kill "$watchdog" 2>/dev/null
    kill -9 "$server" 2>/dev/null
    wait "$server" "$watchdog" 2>/dev/null
    server=''
    umount -l "$mnt" 2>/dev/null || fusermount3 -u -z "$mnt" 2>/dev/null
}
trap 'unmount; rm -rf "$scratch"' EXIT

# The processes that the runs of this test started and that are still there.
left_over() { grep -lzs "^ROCENV_HANG_TEST=$$\$" /proc/[0-9]*/environ | cut -d/ -f3; }

check() { ROCENV_HANG_TEST=$$ timeout 20 "$rocenv" check -p mi300x --timeout 1 "$@" </dev/null; }
milliseconds() { echo $((${EPOCHREALTIME//[!0-9]/} / 1000)); }
expect() { [ "$1" = "$2" ] || faults+=("$3: expected $2, found $1"); }
in_time() { [ "$1" -lt 3000 ] || faults+=("$2 took $1 ms"); }
findings() { jq -c "[.findings[] | $1] | unique" <<<"$2"; }

# The exit status that the findings call for.
status_of() {
    jq '[.findings[] | select(.level == "required") | .outcome] |
        if any(. == "differs") then 1 elif any(. == "unknown") then 3 else 0 end' <<<"$1"
}

judge() { # SAME OUTPUT STATUS: the report says what is stuck, and the rest as without it
    local same=$1 report=$2
    jq -e . >/dev/null 2>&1 <<<"$report" || { faults+=("no JSON: ${report:0:300}") && return; }
    expect "$3" "$(status_of "$report")" "exit status"
    expect "$(findings "$same" "$report")" "$(findings "$same" "$healthy")" "findings"
    jq -e --arg name "${path##*/}" 'any(.findings[]; .outcome == "unknown" and (.detail | contains($name)))' \
        >/dev/null <<<"$report" || faults+=("no finding is unknown and names ${path##*/}")
}

hang() { # NAME FLAG PATH SAME
    local name=$1 path=$3 start report status
    faults=()
    if ! mount_hanging "$2" "$path"; then
        cat "$scratch/hangfs.log"
        skip "hangfs cannot mount here"
    fi

    start=$(milliseconds)
    check --sysroot "$mnt" --format json >"$scratch/out" 2>"$scratch/err"
    status=$?
    in_time $(($(milliseconds) - start)) "check"
    judge "$4" "$(cat "$scratch/out")" "$status"

    start=$(milliseconds)
    report=$(check --sysroot "$mnt" -v 2>&1)
    expect $? "$status" "exit status of \$(check)"
    in_time $(($(milliseconds) - start)) "\$(check)"
    [[ $report == *"${path##*/}"* ]] || faults+=("\$(check -v) does not name ${path##*/}")

    unmount
    for _ in {1..40}; do [ -z "$(left_over)" ] || sleep 0.1; done
    expect "$(left_over)" "" "processes left"
    expect "$(mountpoint -q "$mnt" && echo mounted)" "" "mount point"

    if [ ${#faults[@]} -gt 0 ]; then
        printf '    %s\n' "${faults[@]}"
        cat "$scratch/err"
        echo "not ok hang: $name"
    else
        echo "ok hang: $name"
    fi
}

place_of() { (cd "$machine" && realpath --relative-to=. "$1"); }

healthy=$(check --sysroot "$machine" --format json 2>&1)
if ! jq -e .findings >/dev/null 2>&1 <<<"$healthy"; then
    printf '%s\nnot ok hang: no report of the machine itself\n' "$healthy"
    exit 1
fi
gpu=$(cd "$machine" && printf '%s\n' sys/bus/pci/devices/*/pp_od_clk_voltage | sed -n 3p)
gpu=$(place_of "$(dirname "$gpu")")
hang "driver file" "" "$gpu/pp_od_clk_voltage" '[.id, .target]'
hang "list of KFD nodes" --hang-list "$(place_of sys/class/kfd/kfd/topology/nodes)" .id

# A file system that answers nothing at all, wherever its files or folders can be named.
stopped() { # NAME COMMAND…
    local name=$1 begun ms status
    shift
    begun=$(milliseconds)
    ROCENV_HANG_TEST=$$ timeout -k 1 12 "$rocenv" "$@" </dev/null >"$scratch/out" 2>&1
    status=$?
    ms=$(($(milliseconds) - begun))
    if [ "$status" = 3 ] && [ "$ms" -lt 3500 ] && grep -q "$mnt" "$scratch/out"; then
        echo "ok hang: stopped: $name"
    else
        head -n 3 "$scratch/out"
        echo "not ok hang: stopped: $name: status $status after $ms ms"
    fi
}
mount_hanging "" nothing || { cat "$scratch/hangfs.log" && echo "not ok hang: nothing is mounted"; }
kill -STOP "$server"
stopped "a profile" check -p "$mnt/p.toml" --deadline 1
stopped "a profile for set" set -p "$mnt/p.toml" --sysroot "$machine" --dry-run --deadline 1
stopped "waivers" check --waivers "$mnt/w.toml" --deadline 1
stopped "variables" check --env-file "$mnt/e" --deadline 1
stopped "status of a folder" status --sysroot "$mnt" --deadline 1
stopped "set of a folder" set -p benchmark --sysroot "$mnt" --dry-run --deadline 1
stopped "reset of a folder" reset --sysroot "$mnt" --deadline 1
stopped "a journal's folder" status --state "$mnt/state" --deadline 1
unmount
hang "driver file, when it is opened" --hang-open "$gpu/pp_od_clk_voltage" '[.id, .target]'
hang "configuration space" "" "$(dirname "$gpu")/config" '[.id, .target]'
hang "KFD node" "" "$(place_of sys/class/kfd/kfd/topology/nodes/4/properties)" '[.id, .target]'
hang "KFD generation" "" "$(place_of sys/class/kfd/kfd/topology/generation_id)" '[.id, .target]'
hang "list of idle states" --hang-list "$(place_of sys/devices/system/cpu/cpu0/cpuidle)" .id
