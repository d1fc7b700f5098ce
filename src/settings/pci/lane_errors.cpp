// SPDX-License-Identifier: MIT
// pci.lane_errors: lanes that had an error since they were trained (extended capability 0x0019, +8
// a bit a lane; linux include/uapi/linux/pci_regs.h PCI_EXT_CAP_ID_SECPCI).
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::optional<Assessment>> judge(const Context&, const PathFunction& function, const Want&) {
    const auto lanes = function.reader->config().extended_register(0x0019, 8);
    if (!lanes) {
        return lanes.error();
    }
    if (!*lanes) {
        return std::optional<Assessment>();
    }
    return std::optional(compared({}, "0", **lanes == 0 ? "0" : "lanes " + hex(**lanes, 4)));
}

}  // namespace

const Setting& pci_lane_errors() {
    static constexpr PathFacts facts{.none = "no function on the way tells errors by lane",
                                     .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.lane_errors",
            .summary = "Lanes of the links of GPUs and RDMA NICs that had an error",
            .why = "One bad lane leaves the link up and costs retries on every transfer",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x0019)",
            .set_by = "",
            .next_step = "sudo lspci -vvv -s BDF | grep LaneErrStat; reseat the card or cable when "
                         "pci.aer counts, too",
            .persist = "noted since the link was trained",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::integer, .lowest = 0, .highest = 0}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
