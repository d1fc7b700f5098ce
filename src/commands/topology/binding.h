// SPDX-License-Identifier: MIT
// The CPUs for each agent, for topo --bind. Agents of one NUMA node get disjoint CPUs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "commands/topology/topology.h"
#include "machine/host/cpus.h"

namespace rocenv {

// Returns the CPUs of each of so many agents: L3 groups in their order, evenly, and one more for
// the first agents if some remain. With more agents than groups each group has several agents,
// which get its cores in the same way. With more agents than cores, agents share a core. Each list
// is sorted; without groups all are empty.
std::vector<std::vector<std::uint32_t>> divide_cpus(const std::vector<L3Group>& groups,
                                                    std::size_t agents);

// Returns the groups without the first core of each. A group of one core is left out.
std::vector<L3Group> without_first_cores(std::vector<L3Group> groups);

// Options of the division.
struct CpuDivision {
    bool whole_node = false;           // all CPUs near the GPU, not only this agent's part
    bool reserve_first_of_l3 = false;  // the first core of each L3 group stays free
};

// Returns the CPUs for one agent, or std::nullopt if the kernel does not list those near its GPU.
// Agents with the same CPUs near them share these in the order of the runtime's index. Environment
// variables have no effect, so each process of a job gets the same division. The list is empty if
// no core is left beside the reserved ones. Fails if the L3 caches cannot be read.
Result<std::optional<std::vector<std::uint32_t>>> cpus_for_agent(const Fs& fs,
                                                                 const Topology& topology,
                                                                 const Agent& agent,
                                                                 CpuDivision division);

}  // namespace rocenv
