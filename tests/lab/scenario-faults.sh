#!/bin/sh
# SPDX-License-Identifier: MIT
# strace acts instead of the kernel: it refuses one write, or kills the process that asks for it.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "faults"
write_profile /tmp/profile.toml off

governor=$cpus/cpufreq/policy3/scaling_governor
config=$(realpath "/sys/bus/pci/devices/$(root_ports | sed -n 4p)/config")
numa=/proc/sys/kernel/numa_balancing
journal=/run/rocenv/journal

with_fault() { # CALLS:FAULT PATH COMMAND...: the calls with this path, or with the journal's folder
    fault=$1
    path=$2
    shift 2
    strace -f -qq -o /tmp/trace -P "$path" -P /run/rocenv -e "trace=${fault%%:*}" -e "inject=$fault" \
        sh -c 'echo $$ >/tmp/pid; exec rocenv "$@" --timeout 30 --deadline 100' - "$@" >/tmp/said 2>&1
}
changes() { read_state | diff $boot_state - | grep -c '^+[^+]'; }
reset_after() { # NAME
    ask reset
    expect_status "$1: reset" $? 0
    expect_nothing_left "$1"
}

# A required setting that is refused: all that was written before goes back.
for file in $numa $governor $config; do
    name="refused write to ${file##*/}"
    with_fault write,pwrite64:error=EIO:when=1 "$file" set -p /tmp/profile.toml --format json
    expect_status "$name: set" $? 4
    hand_out set
    expect_equal "$name: set says that all is back" "$(ways_back)" yes
    expect_equal "$name: was refused" "$(grep -c INJECTED /tmp/trace)" 1
    expect_nothing_left "$name"
done

with_fault write:error=ENOSPC:when=1 $journal set -p /tmp/profile.toml
echo "# no room for the journal: set ended with $?"
expect_nothing_left "no room for the journal"

# The process that writes dies of it, not the one that keeps the journal.
with_fault write:signal=KILL:when=1 "$governor" set -p /tmp/profile.toml --format json
expect_status "killed as it writes ${governor##*/}: set" $? 4
hand_out set
expect_nothing_left "killed as it writes ${governor##*/}"

# The one that keeps the journal dies at each of its steps.
for step in write:1 fsync:1 write:2; do
    name="set killed at the journal's $step"
    with_fault "${step%:*}:signal=KILL:when=${step#*:}" $journal set -p /tmp/profile.toml
    expect_status "$name" $? 137
    echo "# $(changes) values differ from boot then"
    reset_after "$name"
done
for step in write:1 fsync:1 unlinkat:1; do
    name="reset killed at the journal's $step"
    ask set -p /tmp/profile.toml
    with_fault "${step%:*}:signal=KILL:when=${step#*:}" $journal reset
    expect_status "$name" $? 137
    echo "# $(changes) values differ from boot then"
    reset_after "$name"
done
