// SPDX-License-Identifier: MIT
// pci.device_status: errors that a function noted in its PCI Express capability (+0x0a: bit 0
// correctable, 1 non-fatal, 2 fatal, 3 unsupported request; linux include/uapi/linux/pci_regs.h
// PCI_EXP_DEVSTA). Unsupported requests and correctable errors are common after probing.
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr Grade grades[] = {
    {"non-fatal", Level::recommended, "the transaction was lost, and the link went on"},
};

Result<std::optional<Assessment>> judge(const Context&, const PathFunction& function, const Want&) {
    constexpr std::uint16_t nonfatal = 2;
    constexpr std::uint16_t fatal = 4;
    const auto status = function.reader->config().express_register(0x0a);
    if (!status) {
        return status.error();
    }
    if (!*status) {
        return std::optional<Assessment>();
    }
    auto row = compared({}, "no-fatal", "no-fatal");
    if ((**status & (fatal | nonfatal)) != 0) {
        row = compared({}, "no-fatal", hex(**status, 4));
        row.detail =
            (**status & fatal) != 0 ? "a fatal error was noted" : "a non-fatal error was noted";
        row.grade = (**status & fatal) != 0 ? nullptr : &grades[0];
    }
    return std::optional(row);
}

}  // namespace

const Setting& pci_device_status() {
    static constexpr PathFacts facts{.none = "no function on the way is PCI Express",
                                     .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.device_status",
            .summary = "Whether GPUs, RDMA NICs or bridges above them noted a fatal error",
            .why = "AMD's acceptance of a node fails on it",
            .source = "ROCm/system-acceptance-docs docs/common/health-checks.md, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (capability 0x10)",
            .set_by = "",
            .next_step = "sudo lspci -vvv -s BDF | grep DevSta; sudo dmesg | grep -i aer; then "
                         "reseat the card or cable",
            .persist = "noted until somebody clears it or the power goes",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"no-fatal"}}},
            .grades = grades,
        },
        facts);
    return setting;
}

}  // namespace rocenv
