#!/bin/sh
# SPDX-License-Identifier: MIT
# Somebody who is not root: set changes nothing and ends with 3.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "nobody"

write_profile /tmp/profile.toml off
su nobody -c 'rocenv set -p /tmp/profile.toml --timeout 30 --deadline 100' >/tmp/said 2>&1
expect_status "nobody: set" $? 3
expect_nothing_left "nobody"

ask set -p /tmp/profile.toml
su nobody -c 'rocenv reset --timeout 30 --deadline 100' >/tmp/said 2>&1
expect_status "nobody: reset of what root has set" $? 3
state_with_acs 's/[^ ]*$/0000/' >/tmp/wanted
expect_state "nobody: it stays set" /tmp/wanted
su nobody -c 'rocenv status' >/tmp/said 2>&1
expect_status "nobody: may read the status" $? 1
ask reset
expect_nothing_left "nobody, and root's reset"
