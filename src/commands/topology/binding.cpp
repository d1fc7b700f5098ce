// SPDX-License-Identifier: MIT
#include "commands/topology/binding.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

using Cpus = std::vector<std::uint32_t>;
using Cores = std::vector<Cpus>;

// A part of a sequence: positions from `first` up to `end`.
struct Span {
    std::size_t first = 0;
    std::size_t end = 0;
};

// Returns part `at` of `parts` equal ones of so many items; the first parts have one more if some
// remain.
Span part_of(std::size_t items, std::size_t parts, std::size_t at) {
    const std::size_t each = items / parts;
    const std::size_t more = items % parts;
    const std::size_t first = at * each + std::min(at, more);
    return {first, first + each + (at < more ? 1 : 0)};
}

void add_cores(const Cores& cores, Span span, Cpus& cpus) {
    for (std::size_t at = span.first; at < span.end; ++at) {
        cpus.insert(cpus.end(), cores[at].begin(), cores[at].end());
    }
}

// Divides one group's cores among its agents.
void divide_cores(const Cores& cores, std::size_t agents, std::vector<Cpus>& out) {
    for (std::size_t at = 0; at < agents; ++at) {
        const std::size_t shared = at * cores.size() / agents;
        const bool enough = cores.size() >= agents;
        add_cores(cores, enough ? part_of(cores.size(), agents, at) : Span{shared, shared + 1},
                  out.emplace_back());
    }
}

}  // namespace

std::vector<std::vector<std::uint32_t>> divide_cpus(const std::vector<L3Group>& groups,
                                                    std::size_t agents) {
    std::vector<Cpus> out;
    if (groups.empty()) {
        return std::vector<Cpus>(agents);
    }
    if (agents > groups.size()) {
        for (std::size_t at = 0; at < groups.size(); ++at) {
            const Span span = part_of(agents, groups.size(), at);
            divide_cores(groups[at].cores, span.end - span.first, out);
        }
    } else {
        for (std::size_t at = 0; at < agents; ++at) {
            const Span span = part_of(groups.size(), agents, at);
            Cpus& cpus = out.emplace_back();
            for (std::size_t group = span.first; group < span.end; ++group) {
                add_cores(groups[group].cores, {0, groups[group].cores.size()}, cpus);
            }
        }
    }
    for (auto& cpus : out) {
        std::sort(cpus.begin(), cpus.end());
    }
    return out;
}

std::vector<L3Group> without_first_cores(std::vector<L3Group> groups) {
    for (auto& group : groups) {
        group.cores.erase(group.cores.begin());
    }
    std::erase_if(groups, [](const L3Group& group) { return group.cores.empty(); });
    return groups;
}

Result<std::optional<std::vector<std::uint32_t>>> cpus_for_agent(const Fs& fs,
                                                                 const Topology& topology,
                                                                 const Agent& agent,
                                                                 CpuDivision division) {
    auto near = agent.cpus ? parse_number_list(*agent.cpus) : std::nullopt;
    if (!near || (division.whole_node && !division.reserve_first_of_l3)) {
        return near;
    }
    auto groups = l3_groups(fs, *near);
    if (!groups) {
        return groups.error();
    }
    if (division.reserve_first_of_l3) {
        groups = without_first_cores(*std::move(groups));
    }
    std::size_t agents = 0;
    std::size_t before = 0;
    for (const auto& other : topology.gpus) {
        const bool shares = other.cpus == agent.cpus;
        agents += shares ? 1U : 0U;
        before += shares && other.rocr_index < agent.rocr_index ? 1U : 0U;
    }
    const auto all = division.whole_node ? divide_cpus(*groups, 1) : divide_cpus(*groups, agents);
    return std::optional(all[division.whole_node ? 0 : before]);
}

}  // namespace rocenv
