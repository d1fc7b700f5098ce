#!/bin/sh
# SPDX-License-Identifier: MIT
# Lockdown that begins between set and reset, which nothing but a reboot ends: what cannot go back is named, all
# else goes back. The last scenario of its machine.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

mount -t securityfs none /sys/kernel/security
write_profile /tmp/profile.toml off
ask set -p /tmp/profile.toml
expect_status "locked later: set" $? 0
echo integrity >/sys/kernel/security/lockdown
state_with_acs 's/$//' | sed '/^acs/d' >/tmp/wanted
ask reset
expect_status "locked later: reset" $? 5
expect_said "locked later: reset names the error" "pci.acs .*EPERM"
ask reset --format json
expect_status "locked later: reset again" $? 5
expect_equal "locked later: reset names each" "$(findings | grep '^pci.acs .* failed' | cut -d' ' -f2,4 | xargs)" \
    "0000:00:01.0 0x0000 0000:00:02.0 0x0000 0000:00:04.0 0x0000 0000:00:05.0 0x0000"
read_state | grep -v ^acs >/tmp/present
expect_equal "locked later: all else is as at boot" "$(grep -v ^acs $boot_state | diff - /tmp/present)" ""
ask reset --keep pci.acs
expect_status "locked later: --keep gives it up" $? 0
ask status
expect_status "locked later: nothing is set" $? 0
