// SPDX-License-Identifier: MIT
// net.flaps: how often the link of each RDMA NIC's network interface went down since its driver
// made it, and packets that came damaged. carrier_down_count is there since about Linux 4.16
// (unverified which); before, half of carrier_changes. One is counted by many drivers as they
// start. A count of damaged packets above zero differs whatever number of flaps is fine.
#include "machine/host/number_files.h"
#include "settings/rdma/rdma_netdevs.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Error not_here: the kernel does not count.
Result<std::uint64_t> times_down(const Fs& fs, const std::string& folder) {
    auto downs = count_of_file(fs, folder + "/carrier_down_count");
    if (!downs.is(ErrorKind::not_here)) {
        return downs;
    }
    const auto changes = count_of_file(fs, folder + "/carrier_changes");
    return changes ? Result(*changes / 2) : changes;
}

struct Link {
    Result<std::uint64_t> downs;
    Result<std::uint64_t> damaged;
    Counters counters;
};

constexpr const char* downs_name = "carrier_down";
constexpr const char* damaged_name = "rx_crc_errors";

Link read_link(const Fs& fs, const std::string& folder) {
    Link out{times_down(fs, folder), count_of_file(fs, folder + "/statistics/rx_crc_errors"), {}};
    if (out.downs) {
        out.counters[downs_name] = *out.downs;
    }
    if (out.damaged) {
        out.counters[damaged_name] = *out.damaged;
    }
    return out;
}

// Nothing: what there is was read.
std::optional<Assessment> without_counts(const Link& link, std::uint64_t most) {
    if (!link.downs && !link.downs.is(ErrorKind::not_here)) {
        return unreadable({}, link.downs.error(), number(most));
    }
    if (!link.damaged && !link.damaged.is(ErrorKind::not_here)) {
        return unreadable({}, link.damaged.error(), number(most));
    }
    return link.downs
               ? std::nullopt
               : std::optional(no_target("this kernel does not count how often a link went down"));
}

Assessment judge_flaps(const Link& link, const Growth& growth, std::uint64_t most) {
    const auto of = [&](const char* name) {
        const auto found = growth.counts.find(name);
        return found == growth.counts.end() ? 0 : found->second;
    };
    const bool flapped = of(downs_name) > most;
    const bool crc = of(damaged_name) > 0;
    if (!flapped && !crc) {
        if (auto row = without_counts(link, most)) {
            return *std::move(row);
        }
    }
    auto row = compared({}, number(most), link.downs ? number(of(downs_name)) : "unknown");
    row.outcome = flapped || crc ? Outcome::differs : Outcome::ok;
    row.detail = crc ? number(of(damaged_name)) + " packets came damaged (rx_crc_errors)" : "";
    row.detail += (row.detail.empty() || growth.note.empty() ? "" : "; ") + growth.note;
    row.remark = !growth.note.empty();
    row.counters = link.counters;
    return row;
}

std::vector<Assessment> assess_flaps(const Setting&, const Context& context, const Want& want) {
    const auto most = static_cast<std::uint64_t>(*want.value.integer());
    const auto netdevs = rdma_netdevs(context, training_ports(context));
    return judge_netdevs(context, netdevs, number(most), [&](const RdmaNetdev& netdev) {
        const auto link = read_link(context.fs(), netdev.folder());
        return judge_flaps(link, context.grown(netdev.name, link.counters), most);
    });
}

// Flaps are nothing to want.
std::optional<std::vector<Value>> learn_flaps(const Setting&, const Context&) {
    return std::vector{Value{std::int64_t{1}, {}}};
}

}  // namespace

const Setting& net_flaps() {
    static const Setting setting{
        .info =
            {
                .id = "net.flaps",
                .summary = "How often the link of each RDMA NIC's network interface went down",
                .why = "A link that bounces fails collectives now and then, and its cable at last",
                .source = "oracle-quickstart/oci-hpc rdma_link_flapping.py, 2026-05; "
                          "Azure/azurehpc-health-checks customTests, 2026-05",
                .target = "network interface",
                .read_from =
                    "carrier_down_count, carrier_changes, statistics/rx_crc_errors in net/* "
                    "of the NIC's PCI function",
                .set_by = "",
                .next_step = "sudo dmesg | grep -i link; ip -s link show; then look at the cable, "
                             "the optics "
                             "and the switch's port of one whose count grows",
                .persist = "",
                .risk_note = "",
                .only_when_named = true,
                .over_cluster = OverCluster::own,
                .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1000000000}},
            },
        .assess = assess_flaps,
        .learn = learn_flaps,
    };
    return setting;
}

}  // namespace rocenv
