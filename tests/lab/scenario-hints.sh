#!/bin/sh
# SPDX-License-Identifier: MIT
# Booted with the words that set --persist-hints prints for this kernel: all values are as the profile expects, except those for
# sysctl; with its line, those too.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

policy=no-redirect acs=pci=disable_acs_redir=
if grep -q config_acs /proc/cmdline; then policy=off acs=pci=config_acs=0000000@; fi
write_profile /tmp/profile.toml $policy
ask set -p /tmp/profile.toml --persist-hints
expect_status "hints: printed" $? 0
for word in $acs cpufreq.default_governor=performance processor.max_cstate=1; do
    expect_equal "hints: $word is among them, and this was booted with it" \
        "$(grep -c -e "$word" /tmp/said) $(grep -c -e "$word" /proc/cmdline)" "1 1"
done
sed -n 's/^\(kernel.numa_balancing\) = \(.*\)/\1=\2/p' /tmp/said >/tmp/sysctl

ask check -p /tmp/profile.toml --format json
expect_equal "hints: all but one is as wanted" "$(findings | grep -v ' ok ')" "kernel.numa_balancing system differs 1"
expect_equal "hints: each port with ACS is among it" "$(findings | grep -c '^pci.acs 0000:00:0[1-5].0 ok ')" 5
echo "# booted with $acs: ACS words $(acs_words)"
expect_equal "hints: there is one line for sysctl" "$(sysctl -w "$(cat /tmp/sysctl)")" "kernel.numa_balancing = 0"
ask check -p /tmp/profile.toml
expect_status "hints: then all is as wanted" $? 0
