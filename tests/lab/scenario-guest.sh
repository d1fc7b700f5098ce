#!/bin/sh
# SPDX-License-Identifier: MIT
# The CPU says that this is a guest: whose bridges these are is not known here.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh

expect_equal "guest: the CPU says so" "$(grep -c hypervisor /proc/cpuinfo)" 4
expect_unsafe "guest" "this is a guest"
