# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Read by the tests of the lab: making it ready, and running one machine of it.

lab=build/lab
newer_suite=trixie # the one after Debian 12, whose kernel is 6.12

skip() { echo "skip kernel-lab: $1"; }

# Whether build/lab/NAME can be booted; says why not.
ready() { # NAME [SUITE]
    local reason status
    reason=$(tests/lab/prepare "$lab/$1" "${ROCENV:-build/dev/rocenv}" "${2:-}")
    status=$?
    if [ "$status" = 77 ]; then
        skip "$1: $reason"
    elif [ "$status" != 0 ]; then
        printf '%s\nnot ok kernel-lab %s: was not made\n' "$reason" "$1"
    fi
    return "$status"
}

# One machine's life; NAME is put before what it says about its tests. Its whole console is in build/lab.
machine() { # NAME BOOT_ARGUMENT...
    local name=$1 status
    shift
    tests/lab/boot "$@" 2>&1 | tee "$lab/console-$name" | sed -E "s/^((not )?ok kernel|skip kernel-lab)/\1 $name:/"
    status=${PIPESTATUS[0]}
    [ "$status" = 0 ] || echo "not ok kernel $name: the guest ended with status $status"
}
