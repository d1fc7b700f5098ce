// SPDX-License-Identifier: MIT
// pci.aspm: whether links of GPUs and RDMA NICs may nap (capability 0x10, link control +0x10 bits
// 1:0; linux include/uapi/linux/pci_regs.h PCI_EXP_LNKCTL_ASPMC).
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::optional<Assessment>> judge(const Context&, const PathFunction& function, const Want&) {
    constexpr std::uint16_t states = 3;
    const auto control = function.reader->config().express_register(0x10);
    if (!control) {
        return control.error();
    }
    if (!*control) {
        return std::optional<Assessment>();
    }
    constexpr const char* names[] = {"off", "L0s", "L1", "L0s and L1"};
    return std::optional(compared({}, "off", names[**control & states]));
}

}  // namespace

const Setting& pci_aspm() {
    static constexpr PathFacts facts{.none = "no function on the way is PCI Express",
                                     .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.aspm",
            .summary =
                "Whether links of GPUs and RDMA NICs may nap (active state power management)",
            .why = "A nap adds latency to each first transfer, and looks like a slow link",
            .source = "ROCm/system-acceptance-docs docs/common/bios-settings.md, 2026-07; linux "
                      "drivers/pci/pcie/aspm.c, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/config (capability 0x10); /proc/cpuinfo where one differs",
            .set_by = "",
            .next_step = "switch off ASPM in the BIOS, or add pcie_aspm.policy=performance to the "
                         "kernel line",
            .persist = "decided by the BIOS and the kernel at boot",
            .risk_note = "",
            .host_decides = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"off"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
