#!/bin/sh
# SPDX-License-Identifier: MIT
# One set, one reset, and one set that is killed: each value is in the kernel after set, and all are as at boot after reset.
# The other scenarios do the same in every way that they can think of.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "set and reset"
write_profile /tmp/profile.toml off
state_with_acs 's/[^ ]*$/0000/' >/tmp/wanted

begin=$(milliseconds)
ask set -p /tmp/profile.toml --format json
expect_status "set" $? 0
whole_set=$(($(milliseconds) - begin))
expect_state "every value is in the kernel, and no other changed" /tmp/wanted
ask reset --format json
expect_status "reset" $? 0
expect_nothing_left "reset"

# The journal holds its first bytes just before the first write.
begin=$(milliseconds)
rocenv set -p /tmp/profile.toml --timeout 30 --deadline 100 >/tmp/said 2>&1 &
while [ ! -s /run/rocenv/journal ] && [ $(($(milliseconds) - begin)) -lt $((20 * whole_set)) ]; do usleep 5000; done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
read_state >/tmp/present
echo "# set was killed with $(diff $boot_state /tmp/present | grep -c '^+[^+]') values changed"
ask reset
expect_status "reset after a killed set" $? 0
expect_nothing_left "a killed set"
