#!/bin/sh
# SPDX-License-Identifier: MIT
# Suspend to idle between set and reset: the kernel turns ACS on again, all else stays. The serial port wakes the
# machine (QEMU's clock raises no event that would). The CPUs must not rest in C2, whose port answers at once:
# they would fight over the clock for ever. set has turned it off.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

# Keeps the echo of keys out of the output.
stty -F /dev/console -echo

go_to_sleep() {
    echo enabled >/sys/class/tty/ttyS0/power/wakeup
    echo freeze >/sys/power/state
}

write_profile /tmp/profile.toml off
ask set -p /tmp/profile.toml
expect_status "suspend: set" $? 0
go_to_sleep
expect_equal "suspend: it slept and woke" "$? $(dmesg | grep -c 'PM: suspend exit')" "0 1"
expect_equal "suspend: the kernel has turned ACS on" "$(acs_words)" "001d 001d 001d 001d 001d"
read_state | grep -v ^acs >/tmp/present
expect_equal "suspend: all else stays set" "$(state_with_acs 's/$//' | grep -v ^acs | diff - /tmp/present)" ""
ask status
expect_status "suspend: status tells that it changed" $? 5
expect_said "suspend: status names the one that is neither" "0x001d CHANGED 0000:00:02.0"

# 0x001d was there at boot on three; on the second it is the kernel's own will, and left alone.
ask reset
expect_status "suspend: reset" $? 5
expect_said "suspend: reset names it" "pci.acs 0000:00:02.0: 0x001d, expected 0x0011 detail The value was changed outside rocenv"
ask reset --force
expect_status "suspend: reset --force" $? 0
# The third was 0 at boot by the lab's hand and never rocenv's.
set_acs "$(root_ports | sed -n 3p)" 0000
expect_nothing_left "suspend"
