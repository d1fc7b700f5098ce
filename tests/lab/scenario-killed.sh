#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 at any time: reset then brings back the state at boot.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "kill"
write_profile /tmp/profile.toml off

# Measures the time of a whole set.
begin=$(milliseconds)
ask set -p /tmp/profile.toml
whole_set=$(($(milliseconds) - begin))
begin=$(milliseconds)
ask reset
whole_reset=$(($(milliseconds) - begin))

killed() { # MILLISECONDS COMMAND...
    after=$1
    shift
    "$@" >/tmp/said 2>&1 &
    usleep "${after}000"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
    read_state >/tmp/present
    echo "# $2 killed after $after ms: $(diff $boot_state /tmp/present | grep -c '^+[^+]') values differ from boot," \
        "journal of $(cat /run/rocenv/* 2>/dev/null | wc -l) lines"
}

for part in 5 7 8; do
    killed $((whole_set * part / 10)) rocenv set -p /tmp/profile.toml
    ask reset
    expect_status "set killed at $part/10: reset" $? 0
    expect_nothing_left "set killed at $part/10"
done
for part in 3 7; do
    ask set -p /tmp/profile.toml
    killed $((whole_reset * part / 10)) rocenv reset
    ask reset
    expect_status "reset killed at $part/10: reset" $? 0
    expect_nothing_left "reset killed at $part/10"
done
