#!/bin/sh
# SPDX-License-Identifier: MIT
# set, status, reset: each value is in the kernel after set, each is back after reset, and nothing else moved.
# pci.acs needs no --allow here: no guest (the CPU says so), and an IOMMU that translates nothing.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "set and reset"

set_and_reset() { # ACS_POLICY SED_EXPRESSION
    write_profile /tmp/profile.toml "$1"
    state_with_acs "$2" >/tmp/wanted
    ask set -p /tmp/profile.toml --dry-run --format json
    expect_status "$1: dry run" $? 0
    ask set -p /tmp/profile.toml --format json
    expect_status "$1: set" $? 0
    expect_equal "$1: set says what was there" \
        "$(json_said | jq -r '.findings[] | select(.id == "cpu.governor" and .outcome == "changed") | "\(.target) \(.was)"' | sort | xargs)" \
        "policy0,3 schedutil policy1 powersave"
    expect_state "$1: every value is in the kernel, and no other changed" /tmp/wanted
    expect_equal "$1: cpupower's governors" \
        "$(cpupower -c all frequency-info -p 2>/dev/null | grep -o 'The governor "[a-z]*"' | uniq -c | xargs)" \
        "4 The governor performance"
    expect_equal "$1: cpupower's idle states" \
        "$(cpupower -c all idle-info 2>/dev/null | grep -oE '^(POLL|C[12]).*:$' | sort | uniq -c | xargs)" \
        "4 C1: 4 C2 (DISABLED) : 4 POLL:"
    ask status --format json
    expect_status "$1: something is set" $? 1
    ask set -p /tmp/profile.toml --format json
    expect_status "$1: set again" $? 0
    ask reset --format json
    expect_status "$1: reset" $? 0
    expect_equal "$1: reset says that all is back" "$(ways_back)" yes
    expect_nothing_left "$1"
}

busybox syslogd -O /tmp/messages
set_and_reset off 's/[^ ]*$/0000/'
sleep 1
expect_equal "the system log tells each change, with who made it" \
    "$(grep -c 'rocenv.*kernel.numa_balancing system: was 1, is 0 (set by ' /tmp/messages) $(grep -c 'rocenv.*cpu.governor policy.*(reset by ' /tmp/messages)" "1 2"
set_and_reset no-redirect 's/001d$/0011/'

write_profile /tmp/profile.toml no-redirect
ask set -p /tmp/profile.toml
write_profile /tmp/profile.toml off
ask set -p /tmp/profile.toml
expect_status "one over the other: set" $? 0
state_with_acs 's/[^ ]*$/0000/' >/tmp/wanted
expect_state "one over the other: every value is in the kernel" /tmp/wanted
ask reset
expect_status "one over the other: reset" $? 0
expect_nothing_left "one over the other"

# Two at once: one waits for the other or is refused, and there is one way back.
write_profile /tmp/other.toml no-redirect
rocenv set -p /tmp/other.toml --timeout 30 --deadline 100 >/tmp/other-said 2>&1 &
ask set -p /tmp/profile.toml
first=$?
wait $!
second=$?
echo "# two sets at once ended with $first and $second"
expect_equal "two at once: neither failed half-way" "$(echo $first $second | tr ' ' '\n' | grep -cE '^(0|3|4)$')" 2
ask reset
expect_status "two at once: reset" $? 0
expect_nothing_left "two at once"

# The administrator's hand after set: left alone, said, and taken back only when asked for.
ask set -p /tmp/profile.toml
echo ondemand >$cpus/cpufreq/policy3/scaling_governor
ask status --format json
expect_status "someone else's value: status" $? 5
ask reset --format json
expect_status "someone else's value: reset" $? 5
expect_equal "someone else's value: reset tells it from what is back" "$(ways_back)" "not tried, yes"
expect_equal "someone else's value: is left alone" "$(cat $cpus/cpufreq/policy3/scaling_governor)" ondemand
ask reset --force --format json
expect_status "someone else's value: reset --force" $? 0
expect_nothing_left "someone else's value"

# As long as a program runs; what it ends with is status's.
rocenv run --tune -q -p /tmp/profile.toml --timeout 30 --deadline 100 -- rocenv status --format json >/tmp/said 2>&1
expect_status "run --tune: something is set" $? 1
hand_out status
expect_nothing_left "run --tune"

# Memory's two sysctls, against what the kernel has by itself.
ask set -p /tmp/profile.toml --only kernel.zone_reclaim_mode,kernel.compact_unevictable_allowed \
    --want kernel.zone_reclaim_mode=1 --want kernel.compact_unevictable_allowed=0 --format json
expect_status "sysctls of memory: set" $? 0
sed -e 's/\(zone_reclaim_mode\) .*/\1 1/' -e 's/\(compact_unevictable_allowed\) .*/\1 0/' $boot_state >/tmp/wanted
expect_state "sysctls of memory: are in the kernel, and no other changed" /tmp/wanted
ask reset --format json
expect_status "sysctls of memory: reset" $? 0
expect_nothing_left "sysctls of memory"
