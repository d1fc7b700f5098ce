// SPDX-License-Identifier: MIT
#include "settings/rdma/rdma_nics.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "machine/pci/pci_reader.h"
#include "machine/rdma/rdma.h"
#include "settings/shapes/devices.h"
#include "util/text.h"

namespace rocenv {

namespace {

struct NicId {
    std::uint32_t vendor;
    std::uint32_t device;
};

constexpr NicId nic_ids[] = {
#include "facts/nic_ids.inc"
};

constexpr std::uint32_t infiniband_class = 0x0207;

constexpr std::string_view rdma_drivers[] = {
#include "facts/rdma_drivers.inc"
};

bool is_virtual(const Machine& machine, const std::string& bdf) {
    return machine.fs().link(pci_path(bdf, "/physfn")).ok();
}

std::vector<std::string> compute_gpus(const Machine& machine) {
    std::vector<std::string> out;
    for (const auto& gpu : machine.gpus()) {
        if (is_for_compute(gpu) && gpu.on_pci) {
            out.push_back(gpu.bdf);
        }
    }
    return out;
}

// The part of PCI that two functions have in common where they are neighbours: the port of the
// root, or the root itself. Empty: not known.
std::string part_of(const Machine& machine, const std::string& bdf, bool port) {
    const auto place = machine.place_of(bdf);
    if (!place || place->root.empty()) {
        return "";
    }
    if (!port) {
        return bdf.substr(0, bdf.find(':')) + place->root;
    }
    return place->bridges.empty() ? "" : place->bridges.front();
}

// NICs that share such a part with a GPU; none where fewer than half of the GPUs have one.
std::set<std::string> beside(const Machine& machine, const std::vector<std::string>& gpus,
                             const std::set<std::string>& nics, bool port) {
    std::multimap<std::string, std::string> by_part;
    for (const auto& nic : nics) {
        by_part.emplace(part_of(machine, nic, port), nic);
    }
    by_part.erase("");
    std::set<std::string> out;
    std::size_t served = 0;
    for (const auto& gpu : gpus) {
        const auto [begin, end] = by_part.equal_range(part_of(machine, gpu, port));
        served += begin == end ? 0U : 1U;
        std::transform(begin, end, std::inserter(out, out.end()),
                       [](const auto& each) { return each.second; });
    }
    return served * 2 >= gpus.size() ? out : std::set<std::string>();
}

// What hangs off one port of the root.
struct GpuGroup {
    std::vector<std::string> gpus;
    std::set<std::string> cards;
};

std::vector<GpuGroup> groups_of_gpus(const Machine& machine, const std::set<std::string>& nics) {
    std::map<std::string, GpuGroup> by_port;
    for (const auto& gpu :
         machine.gpus_uncertain() ? std::vector<std::string>() : compute_gpus(machine)) {
        by_port[part_of(machine, gpu, true)].gpus.push_back(gpu);
    }
    by_port.erase("");
    for (const auto& nic : nics) {
        const auto group = by_port.find(part_of(machine, nic, true));
        if (group != by_port.end()) {
            group->second.cards.insert(card_of(nic));
        }
    }
    std::vector<GpuGroup> out;
    out.reserve(by_port.size());
    for (auto& [port, group] : by_port) {
        out.push_back(std::move(group));
    }
    return out;
}

// Nothing: it has what most of its size have, or these do not agree.
std::optional<NicGap> gap_of(const GpuGroup& group, const std::vector<GpuGroup>& groups) {
    constexpr std::size_t fewest = 3;
    std::map<std::size_t, std::size_t> counts;  // groups by their number of cards
    std::size_t compared = 0;
    for (const auto& each : groups) {
        if (each.gpus.size() == group.gpus.size()) {
            ++counts[each.cards.size()];
            ++compared;
        }
    }
    for (const auto& [cards, count] : counts) {
        if (count >= fewest && count * 2 > compared && cards > group.cards.size()) {
            return NicGap{group.gpus, group.cards.size(), cards, count};
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_rdma_nic(const PciFunction& function) {
    return !function.error &&
           (function.class_code >> 8 == infiniband_class ||
            (function.class_code >> 16 == network_class &&
             std::any_of(std::begin(nic_ids), std::end(nic_ids), [&](const NicId& id) {
                 return id.vendor == function.vendor && id.device == function.device;
             })));
}

std::optional<Error> lost_nic(const Machine& machine) {
    const auto& functions = machine.pci();
    if (!functions) {
        return functions.is(ErrorKind::not_here) ? std::nullopt : std::optional(functions.error());
    }
    for (const auto& function : *functions) {
        if (is_rdma_nic(function) && !is_virtual(machine, function.bdf)) {
            return Error{ErrorKind::not_here, 0, pci_path(function.bdf, "/infiniband"),
                         function.bdf + " is an RDMA NIC by its id, but has no RDMA device"};
        }
    }
    return std::nullopt;
}

std::vector<std::string> nics_without_rdma(const Machine& machine) {
    std::vector<std::string> out;
    const auto& functions = machine.pci();
    for (const auto& function : functions ? *functions : std::vector<PciFunction>()) {
        if (function.error || function.class_code >> 16 != network_class) {
            continue;
        }
        const auto& driver = machine.reader_of(function.bdf).driver();
        if (driver && std::find(std::begin(rdma_drivers), std::end(rdma_drivers), *driver) !=
                          std::end(rdma_drivers)) {
            out.push_back(function.bdf + " (" + kind_of_nic(machine, function.bdf) + ", " +
                          *driver + ")");
        }
    }
    return out;
}

std::string card_of(const std::string& bdf) {
    return bdf.substr(0, bdf.rfind('.'));
}

std::string kind_of_nic(const Machine& machine, const std::string& bdf) {
    const PciFunction function = machine.function(bdf);
    return bare_hex(function.vendor, 4) + ":" + bare_hex(function.device, 4);
}

std::set<std::string> nics_beside_gpus(const Machine& machine, const std::set<std::string>& nics) {
    const auto gpus = compute_gpus(machine);
    if (gpus.empty() || machine.gpus_uncertain()) {
        return {};
    }
    auto near = beside(machine, gpus, nics, true);
    return near.empty() ? beside(machine, gpus, nics, false) : near;
}

std::vector<NicGap> gaps_beside_gpus(const Machine& machine, const std::set<std::string>& nics) {
    std::vector<NicGap> out;
    const auto groups = groups_of_gpus(machine, nics);
    for (const auto& group : groups) {
        if (auto gap = gap_of(group, groups)) {
            out.push_back(*std::move(gap));
        }
    }
    return out;
}

std::set<std::string> nics_of_the_host(const Machine& machine, const std::set<std::string>& nics) {
    const auto near = nics_beside_gpus(machine, nics);
    std::set<std::string> kinds;
    for (const auto& nic : near) {
        kinds.insert(machine.function(nic).error ? "" : kind_of_nic(machine, nic));
    }
    if (near.empty() || kinds.contains("")) {
        return {};
    }
    std::set<std::string> out;
    std::copy_if(nics.begin(), nics.end(), std::inserter(out, out.end()),
                 [&](const std::string& nic) {
                     return !machine.function(nic).error && !near.contains(nic) &&
                            !kinds.contains(kind_of_nic(machine, nic));
                 });
    return out;
}

Result<std::set<std::string>> bonds_of(const Machine& machine, const std::string& bdf) {
    const auto names = netdevs_of(machine, bdf);
    if (!names) {
        return names.error();
    }
    std::set<std::string> out;
    for (const auto& name : *names) {
        const auto master = master_of(machine.fs(), pci_path(bdf) + "/net/" + name);
        if (!master) {
            return master.error();
        }
        if (!master->empty() && exists(machine.fs(), "/sys/class/net/" + *master + "/bonding")) {
            out.insert(*master);
        }
    }
    return out;
}

}  // namespace rocenv
