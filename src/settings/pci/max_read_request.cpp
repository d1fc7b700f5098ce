// SPDX-License-Identifier: MIT
// pci.max_read_request: how much a GPU or RDMA NIC asks for at once (capability 0x10, device
// control +8 bits 14:12: 128 << n; linux include/uapi/linux/pci_regs.h PCI_EXP_DEVCTL_READRQ).
// Drivers set it when they are loaded. Devices of one id are alike.
#include "settings/shapes/end_values.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::string> read_request(const Machine& machine, const std::string& bdf) {
    const auto control = express_register(machine, bdf, 8);
    return control ? Result(number(std::uint64_t{128} << (*control >> 12 & 7))) : control.error();
}

std::vector<Assessment> assess_max_read_request(const Setting&, const Context& context,
                                                const Want& want) {
    return judge_alike(end_values(context, read_request), plain_text(want.value),
                       {.absent = "it is not PCI Express"});
}

}  // namespace

const Setting& pci_max_read_request() {
    static const Setting setting{
        .info =
            {
                .id = "pci.max_read_request",
                .summary = "How much each GPU and RDMA NIC asks for at once",
                .why = "A NIC that reads GPU memory in small pieces does not fill its link",
                .source =
                    "ROCm/gpu-cluster-networking docs/how-to/single-node-config.rst, 2024-10; "
                    "linux include/uapi/linux/pci_regs.h, 6.12",
                .target = "PCI function",
                .read_from = "/sys/bus/pci/devices/*/config (capability 0x10)",
                .set_by = "",
                .next_step = "load the NIC's driver anew; its firmware tool sets it for good",
                .persist = "set by the driver when it is loaded",
                .risk_note = "",
                .over_cluster = OverCluster::equal,
                .forms = {{.kind = FormKind::word, .words = {"equal"}},
                          {.kind = FormKind::integer, .lowest = 128, .highest = 4096}},
            },
        .assess = assess_max_read_request,
    };
    return setting;
}

}  // namespace rocenv
