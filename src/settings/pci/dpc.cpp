// SPDX-License-Identifier: MIT
// pci.dpc: whether downstream port containment has taken a port down (extended capability 0x001d,
// +8 bit 0; linux include/uapi/linux/pci_regs.h PCI_EXP_DPC_STATUS_TRIGGER).
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

Result<std::optional<Assessment>> judge(const Context&, const PathFunction& function, const Want&) {
    const auto status = function.reader->config().extended_register(0x001d, 8);
    if (!status) {
        return status.error();
    }
    if (!*status) {
        return std::optional<Assessment>();
    }
    const bool triggered = (**status & 1) != 0;
    auto row = compared({}, "clear", triggered ? "triggered" : "clear");
    row.detail = triggered ? "reason " + number(**status >> 1 & 3) : "";
    return std::optional(row);
}

}  // namespace

const Setting& pci_dpc() {
    static constexpr PathFacts facts{.none = "no port on the way has downstream port containment",
                                     .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.dpc",
            .summary = "Whether a port above a GPU or RDMA NIC was taken down to contain an error",
            .why = "What is below such a port is lost until it is brought back",
            .source = "amd/node-scraper nodescraper/plugins/inband/dmesg, 2026-07; linux "
                      "drivers/pci/pcie/dpc.c, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/config (extended capability 0x001d)",
            .set_by = "",
            .next_step = "sudo dmesg | grep -i dpc; then reseat the card or reboot",
            .persist = "until the port is brought back",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"clear"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
