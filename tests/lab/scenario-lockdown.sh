#!/bin/sh
# SPDX-License-Identifier: MIT
# lockdown=integrity: the kernel rejects all writes to config space, and reads still work. setpci ends with 0 all the same.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

port=$(root_ports | sed -n 1p)
setpci -s "$port" ECAP_ACS+6.w=0000 2>/dev/null
expect_equal "lockdown: setpci ends with 0 and has changed nothing" "$? $(acs_words)" "0 001d 001d 001d 001d 001d"

write_profile /tmp/profile.toml off
ask set -p /tmp/profile.toml
expect_status "lockdown: set, ACS required" $? 4
expect_said "lockdown: set names the file and the error" "pci.acs .*annot write .*/$port/config: EPERM"
expect_nothing_left "lockdown: set, ACS required"

# ACS only recommended: it is reported, all else stands.
sed '/pci.acs/s/required/recommended/' /tmp/profile.toml >/tmp/softer.toml
ask set -p /tmp/softer.toml --format json
expect_status "lockdown: set, ACS recommended" $? 0
expect_equal "lockdown: each ACS word has failed" "$(findings | grep -c '^pci.acs .* failed 0x001d$')" 5
state_with_acs 's/$//' >/tmp/wanted
expect_state "lockdown: all else is set" /tmp/wanted
ask reset
expect_status "lockdown: reset" $? 0
expect_nothing_left "lockdown: set, ACS recommended"
