// SPDX-License-Identifier: MIT
// pci.aer_status: errors that a function has latched and nobody has cleared (AER, extended
// capability 0x0001: +4 status, +8 mask, +0xc severity; linux include/uapi/linux/pci_regs.h). It
// tells where the firmware handles AER and the kernel counts nothing. Unsupported requests come of
// probing.
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::optional<Assessment>> judge(const Context&, const PathFunction& function, const Want&) {
    constexpr std::uint32_t unsupported_request = 1U << 20;
    const PciConfig& config = function.reader->config();
    const auto capability = config.extended_capability(0x0001);
    if (!capability) {
        return capability.error();
    }
    if (!*capability) {
        return std::optional<Assessment>();
    }
    const auto at = [&](unsigned offset) {
        return static_cast<std::uint16_t>(**capability + offset);
    };
    const auto status = config.word(at(4));
    const auto mask = status ? config.raw_word(at(8)) : status;
    const auto severity = mask ? config.raw_word(at(12)) : mask;
    if (!severity) {
        return severity.error();
    }
    const std::uint32_t latched = *status & ~*mask & ~unsupported_request;
    auto row = compared({}, "clear", latched == 0 ? "clear" : hex(latched, 8));
    if (latched != 0) {
        row.detail = (latched & *severity) != 0 ? "a fatal error is latched"
                                                : "an uncorrectable error is latched";
    }
    return std::optional(row);
}

}  // namespace

const Setting& pci_aer_status() {
    static constexpr PathFacts facts{.none = "no function on the way has the AER capability",
                                     .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.aer_status",
            .summary = "Whether errors are latched in GPUs, RDMA NICs and the bridges above",
            .why = "Where the firmware owns error handling, only these bits tell what happened",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x0001)",
            .set_by = "",
            .next_step =
                "sudo lspci -vvv -s BDF | grep -e UESta -e CESta; then reseat the card or cable",
            .persist = "latched until somebody clears it or the power goes",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"clear"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
