// SPDX-License-Identifier: MIT
// pci.max_payload: the largest packet that each part of the way sends (capability 0x10, device
// control +8 bits 7:5: 128 << n; linux include/uapi/linux/pci_regs.h PCI_EXP_DEVCTL_PAYLOAD). A
// part that sends larger ones than the port above it takes has them refused as malformed. Which
// size there is is the BIOS' policy.
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Nothing: it is not PCI Express.
Result<std::optional<std::uint64_t>> payload_of(const PciConfig& config) {
    const auto control = config.express_register(8);
    if (!control) {
        return control.error();
    }
    if (!*control) {
        return std::optional<std::uint64_t>();
    }
    return std::optional(std::uint64_t{128} << (**control >> 5 & 7));
}

Result<std::optional<Assessment>> judge(const Context& context, const PathFunction& function,
                                        const Want& want) {
    const auto own = payload_of(function.reader->config());
    if (!own) {
        return own.error();
    }
    if (!*own) {
        return std::optional<Assessment>();
    }
    if (want.value.integer() != nullptr && function.end) {
        return std::optional(compared({}, plain_text(want.value), number(**own)));
    }
    const auto above = function.above.empty()
                           ? own
                           : payload_of(context.machine.reader_of(function.above).config());
    if (!above) {
        return above.error();
    }
    auto row = compared({}, "at most " + number(above->value_or(**own)), number(**own));
    row.outcome = **own <= above->value_or(**own) ? Outcome::ok : Outcome::differs;
    row.detail = function.above + " above it takes " + number(above->value_or(**own));
    return std::optional(row);
}

}  // namespace

const Setting& pci_max_payload() {
    static constexpr PathFacts facts{.none = "no function on the way is PCI Express",
                                     .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.max_payload",
            .summary =
                "Whether no GPU or RDMA NIC sends larger packets than the port above it takes",
            .why = "A packet that is too large is refused as malformed, and the link reports a "
                   "fatal error",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "drivers/pci/probe.c pci_configure_mps, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/config (capability 0x10); /proc/cpuinfo where one differs",
            .set_by = "",
            .next_step =
                "boot with pci=pcie_bus_safe on the kernel line, or set the size in the BIOS",
            .persist = "decided by the BIOS and the kernel at boot",
            .risk_note = "",
            .host_decides = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"equal"}},
                      {.kind = FormKind::integer, .lowest = 128, .highest = 4096}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
