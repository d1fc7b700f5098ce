// SPDX-License-Identifier: MIT
// Folding of agents into the kinds that a person distinguishes, for the human view and the picture.
#pragma once

#include "commands/topology/topology.h"

namespace rocenv {

// Returns speed (GT/s) and width of a link: "16.0 x8 of 32.0 x16", "32.0 x16" at the maximum, or
// "-" if nothing is known.
std::string link_short(const PciEnd& end);

// Returns a size rounded to whole GiB, "192 GiB"; below half a GiB in MiB.
std::string gib_text(std::uint64_t bytes);

// Returns "AMD Instinct MI300X"; if the name is unknown "GPU 0x74a1" or "GPU of unknown id".
std::string agent_name(const Agent& agent);

// Returns the common facts of one kind of agents: "304 CUs of 4 SIMDs, wavefront 64, 192 GiB, 2100
// MHz". Unknown facts are left out.
std::string agent_facts(const Agent& agent);

// Returns the architecture and the partition modes, "gfx942, SPX, NPS1". Unknown ones are left out.
std::string mode_text(const Topology& topology, const Agent& agent);

// Returns numbers of GPUs and of their agents with a name: "64 partitions of 8 x AMD Instinct
// MI300X", "4 x AMD Instinct MI250X, 8 dies".
std::string physical_text(const Agent& agent, std::size_t agents, std::size_t physical,
                          const std::string& name);

// Returns the number of physical GPUs, and that of the dies of GPUs with several: "8 physical
// GPUs", "8 dies of 4 physical GPUs".
std::string physical_count(const Topology& topology);

// Returns the agents of a physical GPU by the runtime's index: "0", "8-15".
std::string agents_text(const Topology& topology, const std::vector<std::size_t>& agents);

// Returns sentences about the GPUs without an agent, one for each reason, and about the indices
// that shifted because of them. Empty without such a GPU.
std::vector<std::string> missing_sentences(const Topology& topology);

// Returns numbers, sorted, as ranges: "0-6", "0,2".
std::string range_text(std::vector<std::uint32_t> numbers);

// All links between the agents of two physical GPUs, or between the partitions of one.
struct LinkKind {
    std::string type;
    std::optional<std::uint64_t> hops;
    std::uint64_t weight = 0;
    bool mixed = false;  // there are several kinds; this is the cheapest one
};
// Returns the links from one physical GPU to another, by their positions in Topology::physical;
// std::nullopt without a link.
std::optional<LinkKind> link_between(const Topology& topology, std::size_t from, std::size_t to);

}  // namespace rocenv
