#!/bin/sh
# SPDX-License-Identifier: MIT
# The lab itself, without rocenv: the machine has what the other scenarios need, its kernel takes the values
# and gives them back, and a change is seen.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

expect_equal "lab: two nodes, so NUMA balancing is on" "$(cat /proc/sys/kernel/numa_balancing)" 1
expect_equal "lab: frequency driver" "$(cat $cpus/cpufreq/policy*/scaling_driver | uniq -c | xargs)" "4 acpi-cpufreq"
expect_equal "lab: idle driver" "$(cat $cpus/cpuidle/current_driver)" acpi_idle
expect_equal "lab: idle states" "$(cat $cpus/cpu0/cpuidle/state*/name | xargs)" "POLL C1 C2"
expect_equal "lab: their latencies" "$(cat $cpus/cpu0/cpuidle/state*/latency | xargs)" "0 1 400"
expect_equal "lab: the IOMMU translates nothing" \
    "$(cat /sys/kernel/iommu_groups/*/type | sort -u | xargs)" identity
expect_equal "lab: the kernel turned ACS on, but where the lab did not" \
    "$(acs_words)" "001d 0011 0000 001d 001d"

echo 0 >/proc/sys/kernel/numa_balancing
cpupower -c all frequency-set -g performance >/dev/null 2>&1
cpupower -c all idle-set -D 10 >/dev/null 2>&1
for port in $(root_ports); do set_acs "$port" 0000; done
read_state >/tmp/present
expect_equal "lab: changes are seen" "$(diff $boot_state /tmp/present | grep -c '^+[^+]')" 11
expect_equal "lab: ACS can be turned off" \
    "$(acs_words)" "0000 0000 0000 0000 0000"

put_back
expect_boot_state "lab: and everything back"
