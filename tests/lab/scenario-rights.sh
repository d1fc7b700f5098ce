#!/bin/sh
# SPDX-License-Identifier: MIT
# Callers without rights: `nobody`, root without CAP_SYS_ADMIN, root with a read-only /proc/sys.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "rights"
limits="--timeout 30 --deadline 100"

write_profile /tmp/profile.toml off
su nobody -c "rocenv set -p /tmp/profile.toml $limits" >/tmp/said 2>&1
expect_status "nobody: set" $? 3
expect_nothing_left "nobody"

ask set -p /tmp/profile.toml
su nobody -c "rocenv reset $limits" >/tmp/said 2>&1
expect_status "nobody: reset of what root has set" $? 3
state_with_acs 's/[^ ]*$/0000/' >/tmp/wanted
expect_state "nobody: it stays set" /tmp/wanted
su nobody -c 'rocenv status' >/tmp/said 2>&1
expect_status "nobody: may read the status" $? 1
ask reset
expect_nothing_left "nobody, and root's reset"

# The kernel shows it 64 bytes of config space, and refuses NUMA balancing and idle states.
weaker() { # COMMAND...
    # shellcheck disable=SC2086 # words
    /bin/setpriv --bounding-set -sys_admin --inh-caps -sys_admin rocenv "$@" $limits >/tmp/said 2>&1
}
weaker check -p /tmp/profile.toml --only pci.acs
expect_status "no CAP_SYS_ADMIN: check of ACS" $? 3
expect_said "no CAP_SYS_ADMIN: check says what it needs" "beyond 64 bytes it needs root .CAP_SYS_ADMIN"
weaker set -p /tmp/profile.toml
expect_status "no CAP_SYS_ADMIN: set" $? 4
expect_said "no CAP_SYS_ADMIN: set names the first refused" "annot write /proc/sys/kernel/numa_balancing: EPERM"
expect_nothing_left "no CAP_SYS_ADMIN: set"
ask set -p /tmp/profile.toml
weaker reset
expect_status "no CAP_SYS_ADMIN: reset" $? 5
for id in kernel.numa_balancing cpu.idle; do
    expect_said "no CAP_SYS_ADMIN: reset names $id and why" "$id .*annot write .*EPERM"
done
expect_said "no CAP_SYS_ADMIN: what it cannot read is unknown" "pci.acs .*unknown, expected 0x001d"
ask reset
expect_status "no CAP_SYS_ADMIN: and a whole root's reset" $? 0
expect_nothing_left "no CAP_SYS_ADMIN: reset"

read_only() { # COMMAND...
    # shellcheck disable=SC2016 # the words of the inner shell
    unshare -m sh -c 'mount -o bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys &&
        exec rocenv "$@" --timeout 30 --deadline 100' - "$@" >/tmp/said 2>&1
}
read_only set -p /tmp/profile.toml
expect_status "/proc/sys read-only: set" $? 4
expect_said "/proc/sys read-only: set says why" "annot write /proc/sys/kernel/numa_balancing: EROFS"
expect_nothing_left "/proc/sys read-only: set"
ask set -p /tmp/profile.toml
read_only reset --format json
expect_status "/proc/sys read-only: reset" $? 5
expect_equal "/proc/sys read-only: reset names what it could not" "$(findings | grep -vE ' (changed|ok) ')" \
    "kernel.numa_balancing system failed 0"
read_only reset
expect_said "/proc/sys read-only: reset says why" "kernel.numa_balancing 0, expected 1 .*EROFS"
sed 's/\(numa_balancing\) .*/\1 0/' $boot_state >/tmp/wanted
expect_state "/proc/sys read-only: all else is as at boot" /tmp/wanted
ask reset
expect_status "/proc/sys read-only: reset when it is writable again" $? 0
expect_nothing_left "/proc/sys read-only: reset"
