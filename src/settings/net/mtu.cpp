// SPDX-License-Identifier: MIT
// net.mtu: the largest packet of each RDMA NIC's network interface. AMD names no figure in the
// sources that were read (2026-08); 9000 is common practice, and all interfaces of a node should
// agree, bonds and VLANs too. Reading it asks no hardware (linux net/core/net-sysfs.c, 6.12).
#include "machine/host/number_files.h"
#include "settings/rdma/rdma_netdevs.h"
#include "util/text.h"

namespace rocenv {

namespace {

// What mends one interface: a bond hands its MTU down to its members. Where most agree on nothing,
// which of them is odd is not known.
std::string step_for(const Fs& fs, const RdmaNetdev& netdev, const Assessment& row) {
    if (!row.want || !parse_number(*row.want)) {
        return "";
    }
    const auto master = netdev.enslaved ? master_of(fs, netdev.folder()) : Result(std::string());
    const std::string& name = master && !master->empty() ? *master : netdev.name;
    return "sudo ip link set dev " + name + " mtu " + *row.want +
           "; keep it where the network is configured, and look whether the switch's port carries "
           "packets of that size";
}

void add_steps(const Fs& fs, const RdmaNetdevs& netdevs, std::vector<Assessment>& rows) {
    for (auto& row : rows) {
        for (const auto& netdev : netdevs.all) {
            if (row.outcome == Outcome::differs && row.target.text() == netdev.name) {
                row.next_step = step_for(fs, netdev, row);
            }
        }
    }
}

std::vector<Assessment> assess_mtu(const Setting&, const Context& context, const Want& want) {
    const auto netdevs = rdma_netdevs(context, training_ports(context));
    const std::string wanted = plain_text(want.value);
    std::vector<Assessment> rows;
    LikeDevices all;
    for (const auto& netdev : netdevs.all) {
        all.values.push_back({.device = netdev.name,
                              .kind = "",
                              .value = read_number(context.fs(), netdev.folder() + "/mtu"),
                              .left_out = context.leaves_out(netdev.bdf)});
    }
    for (const auto& [target, error] : netdevs.unread) {
        all.values.push_back({.device = target.text(), .kind = "", .value = error});
    }
    if (!netdevs.all.empty()) {
        rows = judge_nics(all, wanted, {});
        add_steps(context.fs(), netdevs, rows);
    }
    add_unjudged(netdevs, wanted, rows);
    return rows;
}

}  // namespace

const Setting& net_mtu() {
    static const Setting setting{
        .info =
            {
                .id = "net.mtu",
                .summary = "Largest packet of each RDMA NIC's network interface, in bytes",
                .why =
                    "RoCE takes what fits into the interface's packets: small ones cost throughput",
                .source = "ROCm/gpu-cluster-networking docs/how-to/multi-node-config.rst, 2024-10",
                .target = "network interface",
                .read_from =
                    "mtu in net/* of the NIC's PCI function, and in /sys/class/net/* of bonds and "
                    "VLANs "
                    "over them, which gid_attrs/ndevs/* and master tell",
                .set_by = "",
                .next_step = "ip link show; then give them one MTU where the network is "
                             "configured, which the "
                             "switch must carry",
                .persist = "",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 68, .highest = 65535}},
            },
        .assess = assess_mtu,
    };
    return setting;
}

}  // namespace rocenv
