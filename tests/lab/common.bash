# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Read by the tests of the lab: making it ready, and running its machines.

lab=build/lab
newer_suite=trixie # the one after Debian 12, with Linux 6.12

skip() { echo "skip kernel-lab: $1"; }

# Whether $lab/NAME can be booted; says why not. Status 77: for reasons that are not ours.
ready() { # NAME [SUITE [PACKAGE]]
    local reason status
    reason=$(tests/lab/prepare "$lab/$1" "${ROCENV:-build/dev/rocenv}" "${@:2}")
    status=$?
    if [ "$status" = 77 ]; then
        skip "$1: $reason"
    elif [ "$status" != 0 ]; then
        printf '%s\nnot ok kernel-lab %s: was not made\n' "$reason" "$1"
    fi
    return "$status"
}

# One machine's life, with NAME put before what it says of its tests. Its whole console is in $lab. One that dies before
# its first process has said a word is started again: that is the emulation, nothing of ours has run by then.
machine() { # NAME BOOT_ARGUMENT...
    local name=$1 status try
    shift
    for try in 1 2 3; do
        tests/lab/boot "$@" >"$lab/console-$name" 2>&1
        status=$?
        if [ "$status" = 0 ] || grep -qa '^# [0-9]' "$lab/console-$name"; then break; fi
        echo "# $name: try $try died before it came up: $(grep -am 1 panic "$lab/console-$name")"
    done
    sed -E "/^json /d; s/^((not )?ok kernel|skip kernel-lab) /\1 $name: /" "$lab/console-$name"
    [ "$status" = 0 ] || echo "not ok kernel $name: the guest ended with status $status"
}

# What NAME's guest has handed out as JSON, against the schemas.
reports() { # NAME KIND...
    local name=$1 kind
    for kind in "${@:2}"; do
        sed -n "s/^json $kind //p" "$lab/console-$name" >"$lab/json"
        if tests/report/validate --lines "$kind" <"$lab/json"; then
            echo "ok kernel $name: $(wc -l <"$lab/json") JSON texts, $kind, are as their schema says"
        else
            echo "not ok kernel $name: JSON, $kind, is not as its schema says"
        fi
    done
}

# Each line of the input is a machine: NAME BOOT_ARGUMENT… Two run at a time; what they say comes in order.
machines() {
    local line names=()
    while read -r line; do
        [ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
        names+=("${line%% *}")
        # shellcheck disable=SC2086 # words
        machine $line >"$lab/said-${line%% *}" </dev/null &
    done
    wait
    for line in "${names[@]}"; do echo "# machine $line" && cat "$lab/said-$line"; done
}
