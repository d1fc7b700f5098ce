// SPDX-License-Identifier: MIT
// Links between KFD's nodes (linux drivers/gpu/drm/amd/amdkfd/kfd_crat.c).
#include <algorithm>
#include <map>
#include <tuple>

#include "commands/topology/topology_parts.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::uint64_t weight_hop = 15;     // KFD_CRAT_XGMI_WEIGHT, for each hop
constexpr std::uint64_t weight_inside = 13;  // KFD_CRAT_INTRA_SOCKET_WEIGHT, within one GPU

// linux include/uapi/linux/kfd_sysfs.h
std::string type_word(std::uint32_t type) {
    constexpr std::uint32_t qpi = 5;
    switch (type) {
        case link_hypertransport:
            return "hypertransport";
        case link_pcie:
            return "pcie";
        case qpi:
            return "qpi";
        case link_xgmi:
            return "xgmi";
        default:
            return "type " + number(type);
    }
}

// Between GPUs that are not partitioned a hop weighs 15; a partition weighs 13 at either end
// (kfd_fill_gpu_xgmi_link_to_gpu).
std::optional<std::uint64_t> hops_of(std::uint64_t weight) {
    if (weight == weight_inside) {
        return 0;
    }
    if (weight == 2 * weight_inside + weight_hop) {
        return 1;
    }
    return weight != 0 && weight % weight_hop == 0 ? std::optional(weight / weight_hop)
                                                   : std::nullopt;
}

// What the numbers in KFD's files stand for.
class Ends {
   public:
    Ends(const Machine& machine, const Topology& topology) {
        for (std::size_t at = 0; at < topology.gpus.size(); ++at) {
            gpus_.emplace(topology.gpus[at].node, at);
        }
        for (const auto& node : machine.kfd().nodes) {
            if (node.hidden || node.error || node.is_gpu()) {
                unseen_.push_back(node.index);
            }
        }
    }

    // False: a node that is hidden or could not be read. A missing node is one of CPUs, to which
    // GPUs' links are written with Linux's NUMA number (kfd_fill_gpu_direct_io_link_to_cpu).
    bool find(std::uint32_t node, TopologyLink::End& kind, std::uint64_t& number) const {
        if (const auto gpu = gpus_.find(node); gpu != gpus_.end()) {
            kind = TopologyLink::End::gpu;
            number = gpu->second;
            return true;
        }
        kind = TopologyLink::End::cpu;
        number = node;
        return std::find(unseen_.begin(), unseen_.end(), node) == unseen_.end();
    }

   private:
    std::map<std::uint64_t, std::size_t> gpus_;  // by node
    std::vector<std::uint32_t> unseen_;          // nodes that are no CPUs, or not known
};

}  // namespace

void read_links(const Machine& machine, Topology& topology) {
    using End = TopologyLink::End;
    const Ends ends(machine, topology);
    for (const auto& node : machine.kfd().nodes) {
        if (node.hidden || node.error) {
            continue;
        }
        const auto links = machine.links_of(node);
        if (!links) {
            topology.notes.push_back(links.error().text);
            continue;
        }
        for (const auto& link : *links) {
            TopologyLink found;
            if (!ends.find(link.from, found.from_kind, found.from) ||
                !ends.find(link.to, found.to_kind, found.to)) {
                continue;
            }
            const bool between = found.from_kind == End::gpu && found.to_kind == End::gpu;
            found.type = type_word(link.type);
            found.weight = link.weight;
            found.hops = between && link.type == link_xgmi ? hops_of(link.weight) : std::nullopt;
            topology.links.push_back(std::move(found));
        }
    }
    std::stable_sort(topology.links.begin(), topology.links.end(),
                     [](const TopologyLink& a, const TopologyLink& b) {
                         return std::tie(a.from_kind, a.from, a.to_kind, a.to) <
                                std::tie(b.from_kind, b.from, b.to_kind, b.to);
                     });
}

}  // namespace rocenv
