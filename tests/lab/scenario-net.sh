#!/bin/sh
# SPDX-License-Identifier: MIT
# net.rp_filter, net.arp_ignore and net.arp_announce in a real kernel: set writes the interface of an RDMA NIC, never all, never the
# other network card. The cards are ordinary ones; a folder over the kernel's class infiniband, whose own is empty here, marks one
# of them as an RDMA NIC.
# shellcheck source=tests/lab/guest.sh
. /lab/guest.sh
needs_set "net"
class=/sys/class/infiniband
conf=/proc/sys/net/ipv4/conf

# One Ethernet port that is up, of the function at this address, whose interface is the other argument.
make_rdma_device() { # FUNCTION INTERFACE
    port=$class/rocep0/ports/1
    mount -t tmpfs none $class
    mkdir -p $port/gids $port/gid_attrs/types $port/gid_attrs/ndevs
    ln -s "/sys/bus/pci/devices/$1" $class/rocep0/device
    echo "4: ACTIVE" >$port/state
    echo "5: LinkUp" >$port/phys_state
    echo "100 Gb/sec (4X EDR)" >$port/rate
    echo Ethernet >$port/link_layer
    echo 0000:0000:0000:0000:0000:ffff:0a00:0001 >$port/gids/0
    echo "RoCE v2" >$port/gid_attrs/types/0
    echo "$2" >$port/gid_attrs/ndevs/0
}

insmod /late/*-ib_core.ko
cards=$(cd /sys/class/net && echo ./*/device)
rdma=$(echo "$cards" | cut -d/ -f2)
other=$(echo "$cards" | cut -d/ -f4)
expect_equal "net: two network cards" "$([ -d $class ] && [ "$rdma" != "$other" ] && echo yes)" yes
make_rdma_device "$(basename "$(readlink -f "/sys/class/net/$rdma/device")")" "$rdma"

cat >/tmp/net.toml <<END
[profile]
name = "lab-net"
summary = "What AMD asks of RoCE interfaces"

[settings]
"net.rp_filter" = { value = 2, level = "required" }
"net.arp_ignore" = { value = 2, level = "required" }
"net.arp_announce" = { value = 1, level = "required" }
END

# Sets the values as a distribution leaves them, with differences.
echo 1 >"$conf/$rdma/rp_filter"
echo 1 >"$conf/$other/rp_filter"
echo 1 >$conf/all/rp_filter
echo 1 >"$conf/$other/arp_ignore"
read_state >/tmp/net-before
sed -e "s|\(/$rdma/rp_filter\) .*|\1 2|" -e "s|\(/$rdma/arp_ignore\) .*|\1 2|" \
    -e "s|\(/$rdma/arp_announce\) .*|\1 1|" /tmp/net-before >/tmp/net-wanted
expect_equal "net: three files are to change" "$(diff /tmp/net-before /tmp/net-wanted | grep -c '^+/')" 3

ask check -p /tmp/net.toml --format json
expect_status "net: check" $? 1
expect_equal "net: check tells what is in force on the RDMA interface, and of no other" \
    "$(findings | sort | xargs)" \
    "net.arp_announce $rdma differs 0 net.arp_ignore $rdma differs 0 net.rp_filter $rdma differs 1"
ask set -p /tmp/net.toml --format json
expect_status "net: set" $? 0
expect_state "net: the RDMA interface is set, and nothing else" /tmp/net-wanted
ask check -p /tmp/net.toml
expect_status "net: check after set" $? 0
ask status --format json
expect_status "net: something is set" $? 1

# Another network namespace has interfaces of its own, perhaps of the same name.
unshare -n rocenv reset --timeout 30 --deadline 100 >/tmp/said 2>&1
expect_status "net: reset from another network" $? 5
expect_said "net: reset names the other network" "another network namespace"
expect_state "net: reset from another network leaves all" /tmp/net-wanted
ask reset --format json
expect_status "net: reset" $? 0
expect_equal "net: reset says that all is back" "$(ways_back)" yes
expect_state "net: what was there before" /tmp/net-before
unshare -n rocenv set -p /tmp/net.toml --timeout 30 --deadline 100 >/tmp/said 2>&1
expect_status "net: in another network there is nothing to set" $? 0
expect_state "net: set in another network leaves all" /tmp/net-before

# A value of all is in force for each interface, and is not set.
echo 2 >$conf/all/arp_ignore
ask set -p /tmp/net.toml --only net.arp_ignore --want net.arp_ignore=1
expect_status "net: what all forces on it" $? 1
expect_said "net: all is not written" "rocenv does not write to all"
expect_equal "net: the interface is as it was" "$(cat "$conf/$rdma/arp_ignore" $conf/all/arp_ignore | xargs)" "0 2"
echo 0 >$conf/all/arp_ignore

# The card goes while it is set: reset names it.
ask set -p /tmp/net.toml
expect_status "net: set again" $? 0
echo 1 >"/sys/class/net/$rdma/device/remove"
ask reset
expect_status "net: reset without the card" $? 5
expect_said "net: reset names the interface that is gone" "$rdma"
ask reset --forget
expect_status "net: reset --forget" $? 0
echo 1 >/sys/bus/pci/rescan
umount $class
