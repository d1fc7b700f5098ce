// SPDX-License-Identifier: MIT
// pci.function: whether a GPU or RDMA NIC with a driver can be used: memory and bus master are on
// (command register, bits 1 and 2), it is in power state D0, and its status register has noted no
// parity or system error (bits 15, 14, 8). The header is for everybody to read; linux
// include/uapi/linux/pci_regs.h.
#include "settings/shapes/path_functions.h"
#include "util/text.h"

namespace rocenv {

namespace {

// What of the command and status registers is wrong; empty: nothing.
std::string fault_of(std::uint32_t registers) {
    std::vector<std::string> faults;
    const auto note = [&](bool wrong, const char* what) {
        if (wrong) {
            faults.emplace_back(what);
        }
    };
    note((registers & 2) == 0, "memory off");
    note((registers & 4) == 0, "bus master off");
    note((registers >> 31 & 1) != 0, "parity error");
    note((registers >> 30 & 1) != 0, "system error");
    note((registers >> 24 & 1) != 0, "data parity error");
    return join(faults, ", ");
}

Result<std::optional<Assessment>> judge(const Context& context, const PathFunction& function,
                                        const Want&) {
    const auto& driver = function.reader->driver();
    if (!driver) {
        return driver.error();
    }
    if (!function.end || driver->empty()) {
        return std::optional<Assessment>();
    }
    const auto registers = function.reader->config().word(4);
    if (!registers) {
        return registers.error();
    }
    std::string fault = fault_of(*registers);
    const auto power = context.fs().read(pci_path(function.bdf, "/power_state"));
    if (power && trim(*power) != "D0" && trim(*power) != "unknown") {
        fault += (fault.empty() ? "" : ", ") + ("in power state " + printable(trim(*power), 20));
    }
    return std::optional(compared({}, "usable", fault.empty() ? "usable" : fault));
}

}  // namespace

const Setting& pci_function() {
    static constexpr PathFacts facts{.none = "no GPU and no NIC has a driver", .judge = judge};
    static const auto setting = path_setting(
        {
            .id = "pci.function",
            .summary = "Whether each GPU and RDMA NIC is switched on as its driver needs it",
            .why = "A reset that failed half-way leaves a bound device that answers nobody",
            .source = "amd/node-scraper nodescraper/plugins/inband/pcie, 2026-07; linux "
                      "include/uapi/linux/pci_regs.h, 6.12",
            .target = "PCI function",
            .read_from = "/sys/bus/pci/devices/*/{config,driver,power_state}",
            .set_by = "",
            .next_step = "sudo dmesg | grep -e BDF; then load the driver anew, or reboot",
            .persist = "until the driver is loaded anew",
            .risk_note = "",
            .over_cluster = OverCluster::own,
            .forms = {{.kind = FormKind::word, .words = {"usable"}}},

        },
        facts);
    return setting;
}

}  // namespace rocenv
