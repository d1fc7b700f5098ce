#!/bin/sh
# SPDX-License-Identifier: MIT
# A CPU that goes between set and reset: its policy answers `EBUSY`, all other values are restored. Its value can be restored when
# the CPU has returned - with the old governor, which the kernel remembers for it.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

write_profile /tmp/profile.toml off
state_with_acs 's/[^ ]*$/0000/' >/tmp/wanted
governor=$cpus/cpufreq/policy1/scaling_governor

ask set -p /tmp/profile.toml
expect_status "hotplug: set" $? 0
echo 0 >$cpus/cpu1/online
expect_equal "hotplug: the policy of a CPU that is off does not answer" "$(cat $governor 2>&1 | grep -c busy)" 1
ask status
expect_status "hotplug: status" $? 1
ask reset --format json
expect_status "hotplug: reset" $? 5
expect_equal "hotplug: reset names what it could not" "$(findings | grep -vE ' (changed|ok) ')" \
    "cpu.governor policy1 failed unknown"
read_state >/tmp/present 2>/dev/null
expect_equal "hotplug: all else is as at boot" "$(diff $boot_state /tmp/present | grep '^[-+][^-+]')" \
    "-$governor powersave"
echo 1 >$cpus/cpu1/online
expect_equal "hotplug: back on, it has what was set" "$(cat $governor)" performance
ask status
expect_status "hotplug: status knows" $? 1
ask reset
expect_status "hotplug: reset when it is back" $? 0
expect_nothing_left "hotplug"

# Off before set: nothing of it is written, and a required one is not taken for done.
echo 0 >$cpus/cpu1/online
ask set -p /tmp/profile.toml --format json
expect_status "hotplug: set without the CPU" $? 0
expect_equal "hotplug: its policy is not counted as set" "$(findings | grep -c '^cpu.governor policy1')" 0
echo 1 >$cpus/cpu1/online
expect_equal "hotplug: it comes back with its own" "$(cat $governor)" powersave
ask reset
expect_status "hotplug: reset of all others" $? 0
expect_nothing_left "hotplug: set without the CPU"
