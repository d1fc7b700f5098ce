// SPDX-License-Identifier: MIT
// Registers of the PCI Express capability: linux include/uapi/linux/pci_regs.h, 6.12.
#include "machine/pci/atomics_path.h"

#include "machine/pci/pci_reader.h"

namespace rocenv {

namespace {

constexpr std::uint16_t port_flags = 0x02;        // PCI_EXP_FLAGS, bits 7:4 the port's type
constexpr std::uint16_t abilities = 0x24;         // PCI_EXP_DEVCAP2, bits 6 to 8 AtomicOps
constexpr std::uint16_t controls = 0x28;          // PCI_EXP_DEVCTL2, bit 7 egress block
constexpr std::uint16_t routes = 1U << 6;         // PCI_EXP_DEVCAP2_ATOMIC_ROUTE
constexpr std::uint16_t completes = 3U << 7;      // PCI_EXP_DEVCAP2_ATOMIC_COMP32, _COMP64
constexpr std::uint16_t blocks_egress = 1U << 7;  // PCI_EXP_DEVCTL2_ATOMIC_EGRESS_BLOCK

enum class PortType : std::uint16_t { root = 4, upstream = 5, downstream = 6 };

// Returns what a bridge does to AtomicOps, empty if it lets them pass.
std::string fault_of_port(PortType type, std::uint16_t can, std::uint16_t control) {
    const bool routing = (can & routes) != 0;
    const bool completing = (can & completes) == completes;
    if (type == PortType::root && !completing) {
        return routing ? "does not complete AtomicOps of 32 and 64 bits"
                       : "neither routes nor completes AtomicOps";
    }
    if (type != PortType::root && !routing) {
        return "does not route AtomicOps";
    }
    return type == PortType::upstream && (control & blocks_egress) != 0 ? "blocks AtomicOps" : "";
}

Result<std::string> ask_port(const Machine& machine, const std::string& port) {
    if (const auto sleeping = machine.asleep(port)) {
        return *sleeping;
    }
    const auto& config = machine.reader_of(port).config();
    const auto flags = config.express_register(port_flags);
    const auto can = config.express_register(abilities);
    const auto control = config.express_register(controls);
    for (const auto* each : {&flags, &can, &control}) {
        if (!*each) {
            return each->error();
        }
    }
    if (!*flags || !*can || !*control) {
        return std::string();  // it is not PCI Express
    }
    const auto type = static_cast<PortType>(**flags >> 4 & 0xf);
    const bool known =
        type == PortType::root || type == PortType::upstream || type == PortType::downstream;
    return known ? fault_of_port(type, **can, **control) : std::string();
}

}  // namespace

Result<std::optional<AtomicsObstacle>> atomics_obstacle(const Machine& machine,
                                                        const std::string& bdf) {
    const auto above = machine.bridges_above(bdf);
    if (!above) {
        return above.error();
    }
    std::optional<Error> unread;
    for (auto port = above->rbegin(); port != above->rend(); ++port) {
        const auto fault = ask_port(machine, *port);
        if (!fault) {
            unread = fault.error();
        } else if (!fault->empty()) {
            return std::optional(AtomicsObstacle{*port, *fault});
        }
    }
    return unread ? Result<std::optional<AtomicsObstacle>>(*unread)
                  : Result(std::optional<AtomicsObstacle>());
}

}  // namespace rocenv
