// SPDX-License-Identifier: MIT
// net.flaps: how often the link of each RDMA NIC's network interface went down since its driver
// made it, and packets that came damaged. carrier_down_count is there since about Linux 4.16
// (unverified which); before, half of carrier_changes. One is counted by many drivers as they
// start. A count of damaged packets above zero differs whatever number of flaps is fine.
#include "settings/number_files.h"
#include "settings/rdma_netdev_values.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Error not_here: the kernel does not count.
Result<std::uint64_t> times_down(const Fs& fs, const std::string& folder) {
    const auto downs = count_of_file(fs, folder + "/carrier_down_count");
    if (!downs.is(ErrorKind::not_here)) {
        return downs;
    }
    const auto changes = count_of_file(fs, folder + "/carrier_changes");
    return changes ? Result(*changes / 2) : changes;
}

Assessment judge_flaps(const Fs& fs, const std::string& folder, std::uint64_t most) {
    const auto downs = times_down(fs, folder);
    const auto damaged = count_of_file(fs, folder + "/statistics/rx_crc_errors");
    const bool flapped = downs && *downs > most;
    const bool crc = damaged && *damaged > 0;
    if (!flapped && !crc) {
        const bool uncounted = downs.is(ErrorKind::not_here);
        if (!downs && !uncounted) {
            return unreadable({}, downs.error(), number(most));
        }
        if (!damaged && !damaged.is(ErrorKind::not_here)) {
            return unreadable({}, damaged.error(), number(most));
        }
        if (uncounted) {
            return no_target("this kernel does not count how often a link went down");
        }
    }
    auto row = compared({}, number(most), downs ? number(*downs) : "unknown");
    row.outcome = flapped || crc ? Outcome::differs : Outcome::ok;
    row.detail = crc ? number(*damaged) + " packets came damaged (rx_crc_errors)" : "";
    return row;
}

class Flaps final : public Setting {
   public:
    const Info& info() const override {
        static const Info data{
            .id = "net.flaps",
            .summary = "How often the link of each RDMA NIC's network interface went down",
            .why = "A link that bounces fails collectives now and then, and its cable at last",
            .source =
                "oracle-quickstart/oci-hpc rdma_link_flapping.py, 2026-05; "
                "Azure/azurehpc-health-checks customTests, 2026-05",
            .target = "network interface",
            .read_from =
                "carrier_down_count, carrier_changes, statistics/rx_crc_errors in net/* "
                "of the NIC's PCI function",
            .set_by = "",
            .next_step =
                "sudo dmesg | grep -i link; ask again later: what grows is a cable, "
                "optics or the switch's port",
            .persist = "",
            .risk_note = "",
            .only_when_named = true,
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 1000000000}},
        };
        return data;
    }

    std::vector<Assessment> assess(const Context& context, const Want& want) const override {
        const auto most = static_cast<std::uint64_t>(*want.value.integer());
        const auto netdevs = rdma_netdevs(context, training_ports(context));
        return judge_netdevs(context, netdevs, number(most), [&](const RdmaNetdev& netdev) {
            return judge_flaps(context.fs(), netdev_folder(netdev), most);
        });
    }

    // Flaps are nothing to want.
    std::optional<std::vector<Value>> learn(const Context&) const override {
        return std::vector{Value{std::int64_t{1}, {}}};
    }
};

}  // namespace

const Setting& net_flaps() {
    static const Flaps setting;
    return setting;
}

}  // namespace rocenv
