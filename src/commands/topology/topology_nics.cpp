// SPDX-License-Identifier: MIT
// RDMA NICs and how near they are to the GPUs.
#include <algorithm>
#include <tuple>

#include "commands/topology/topology_parts.h"
#include "machine/rdma/rdma.h"

namespace rocenv {

namespace {

// Below one root port there is one link: two functions there hang off a switch. Functions without a
// path (a folder that is no link) say nothing about switches.
std::optional<Nearness> nearness(const PciEnd& gpu, const PciEnd& nic) {
    if (!gpu.bridges.empty() && !nic.bridges.empty() &&
        gpu.bridges.front() == nic.bridges.front()) {
        return Nearness::same_switch;
    }
    if (gpu.root && gpu.root == nic.root) {
        return Nearness::same_root;
    }
    if (!gpu.numa_node || !nic.numa_node) {
        return std::nullopt;
    }
    return gpu.numa_node == nic.numa_node ? Nearness::same_numa : Nearness::far;
}

// Bridges that both paths have.
std::size_t shared_bridges(const PciEnd& gpu, const PciEnd& nic) {
    const auto [end, other] = std::mismatch(gpu.bridges.begin(), gpu.bridges.end(),
                                            nic.bridges.begin(), nic.bridges.end());
    return static_cast<std::size_t>(end - gpu.bridges.begin());
}

// GPUs in order take the nearest NIC that fewest took before; deeper in the same switch is nearer.
void choose_nics(Topology& topology) {
    std::vector<std::size_t> taken(topology.nics.size());
    for (auto& gpu : topology.physical) {
        for (std::size_t at = 0; at < topology.nics.size(); ++at) {
            const auto rank = [&](std::size_t nic) {
                return std::tuple(
                    *gpu.nearest[nic],
                    -static_cast<long>(shared_bridges(gpu.pci, topology.nics[nic].pci)),
                    taken[nic]);
            };
            if (gpu.nearest[at] && *gpu.nearest[at] != Nearness::far &&
                (!gpu.near_nic || rank(at) < rank(*gpu.near_nic))) {
                gpu.near_nic = at;
            }
        }
        if (gpu.near_nic) {
            ++taken[*gpu.near_nic];
        }
    }
}

// One word of the two: what the link lacks says more than that the port is down.
std::optional<std::string> state_of_port(const Fs& fs, const RdmaPort& port) {
    const auto phys = port_phys_state(fs, port);
    if (phys && phys->number != phys_link_up) {
        return phys->word;
    }
    const auto state = port_state(fs, port);
    return state ? std::optional(state->word) : std::nullopt;
}

void read_ports(const Machine& machine, const RdmaDevice& device, Topology& topology) {
    const auto nic = std::find_if(topology.nics.begin(), topology.nics.end(),
                                  [&](const Nic& each) { return each.pci.bdf == device.bdf; });
    if (nic == topology.nics.end() || machine.asleep(device.bdf)) {
        return;
    }
    if (!device.ports) {
        topology.notes.push_back(device.ports.error().text);
        return;
    }
    for (const auto& port : *device.ports) {
        const auto rate = port_rate(machine.fs(), port);
        nic->ports.push_back({port.name(), state_of_port(machine.fs(), port),
                              rate ? std::optional(*rate + " Gb/s") : std::nullopt});
    }
}

}  // namespace

void read_nics(const Machine& machine, Topology& topology) {
    const auto nics = machine.named_rdma_nics();
    if (!nics) {
        topology.notes.push_back(nics.error().text);
        return;
    }
    for (const auto& nic : *nics) {
        topology.nics.push_back({read_pci_end(machine, nic.bdf, topology.notes), nic.name});
    }
    const auto devices = rdma_devices(machine);
    for (const auto& device : devices ? *devices : std::vector<RdmaDevice>()) {
        read_ports(machine, device, topology);
    }
    for (auto& gpu : topology.physical) {
        for (const auto& nic : topology.nics) {
            gpu.nearest.push_back(nearness(gpu.pci, nic.pci));
        }
    }
    choose_nics(topology);
}

}  // namespace rocenv
