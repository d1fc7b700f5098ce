#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of all of rocenv at its k-th write, to the kernel or to the journal: reset restores the state at boot. strace stops the
# process at its k-th write, and then all processes of rocenv are killed.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "kills"
write_profile /tmp/profile.toml off

killed_at() { # CALL:K COMMAND...
    fault=${1%:*}:signal=STOP:when=${1#*:}
    name="$2 killed at $1"
    shift
    rm -f /tmp/trace
    strace -f -qq -o /tmp/trace -e trace=write,pwrite64 -e "inject=$fault" \
        rocenv "$@" --timeout 30 --deadline 100 >/tmp/said 2>&1 &
    tracer=$!
    tries=0
    until grep -q 'stopped by SIGSTOP' /tmp/trace 2>/dev/null || [ $tries = 100 ]; do
        usleep 100000
        tries=$((tries + 1))
    done
    stopped=$(grep -c 'stopped by SIGSTOP' /tmp/trace)
    # shellcheck disable=SC2046 # several numbers
    kill -9 $(pidof rocenv) 2>/dev/null
    wait $tracer 2>/dev/null
    read_state >/tmp/present
    differ=$(diff $boot_state /tmp/present | grep -c '^+[^+]')
    seen="$seen$differ "
    echo "# $name: $differ values differ from boot"
    expect_equal "$name: it was under way" "$stopped" 1
    ask reset
    expect_status "$name: reset" $? 0
    expect_nothing_left "$name"
}

# Each process counts for itself, each call too. One process writes to the lock, twice to the journal, and the
# report; the other one to config space by pwrite64, four times, and seven times by write.
seen=
for point in write:1 write:2 pwrite64:1 pwrite64:3 write:3 write:4 write:6 write:7; do
    killed_at $point set -p /tmp/profile.toml
done
expect_equal "set was killed in these states" "$seen" "0 0 1 3 7 8 10 11 "
seen=
for point in write:1 write:2 pwrite64:2 write:3 write:5 write:7; do
    ask set -p /tmp/profile.toml
    killed_at $point reset
done
expect_equal "reset was killed in these states" "$seen" "11 11 9 4 2 0 "
