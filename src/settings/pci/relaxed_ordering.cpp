// SPDX-License-Identifier: MIT
// pci.relaxed_ordering: whether GPUs and RDMA NICs may send writes out of order (capability 0x10,
// +8 bit 4; linux include/uapi/linux/pci_regs.h PCI_EXP_DEVCTL_RELAX_EN).
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::optional<Assessment>> judge(const Context&, const PathFunction& function, const Want&) {
    constexpr std::uint16_t enabled = 0x10;
    if (!function.end) {
        return std::optional<Assessment>();
    }
    const auto control = function.reader->config().express_register(8);
    if (!control) {
        return control.error();
    }
    if (!*control) {
        return std::optional<Assessment>();
    }
    return std::optional(compared({}, "on", (**control & enabled) != 0 ? "on" : "off"));
}

}  // namespace

const Setting& pci_relaxed_ordering() {
    static constexpr PathFacts facts{.none = "no GPU and no NIC is PCI Express", .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.relaxed_ordering",
            .summary = "Whether GPUs and RDMA NICs may send writes out of order",
            .why = "Without it a NIC's writes into GPU memory wait for each other",
            .source = "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2024-10; "
                      "linux include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from =
                "/sys/bus/pci/devices/*/config (capability 0x10); /proc/cpuinfo where one differs",
            .set_by = "",
            .next_step = "switch on PCIe relaxed ordering in the BIOS and the NIC's firmware "
                         "(mlxconfig PCI_WR_ORDERING)",
            .persist = "decided by the BIOS and drivers at boot",
            .risk_note = "",
            .host_decides = true,
            .over_cluster = OverCluster::equal,
            .forms = {{.kind = FormKind::word, .words = {"on"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
