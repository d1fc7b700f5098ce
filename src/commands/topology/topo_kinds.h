// SPDX-License-Identifier: MIT
// What the human view and the picture share: agents folded into what a person tells apart.
#pragma once

#include "commands/topology/topology.h"

namespace rocenv {

// "16.0 x8 of 32.0 x16", "32.0 x16" where it is the maximum, "-" where nothing is known.
std::string link_short(const PciEnd& end);

std::string gib_text(std::uint64_t bytes);

// "AMD Instinct MI300X"; the id where the name is not known.
std::string agent_name(const Agent& agent);

// What is the same for agents of one kind: "304 CUs of 4 SIMDs, wavefront 64, 192 GiB, 2100 MHz".
std::string agent_facts(const Agent& agent);

// "gfx942, SPX, NPS1".
std::string mode_text(const Topology& topology, const Agent& agent);

// So many physical GPUs like this agent's with so many agents, by the name that is given:
// "64 partitions of 8 x AMD Instinct MI300X", "4 x AMD Instinct MI250X, 8 dies".
std::string physical_told(const Agent& agent, std::size_t agents, std::size_t physical,
                          const std::string& name);

// "8 physical GPUs", "8 dies of 4 physical GPUs".
std::string physical_count(const Topology& topology);

// "0", "8-15": the agents of a physical GPU by the runtime's index.
std::string agents_text(const Topology& topology, const std::vector<std::size_t>& agents);

// Sentences about the GPUs without an agent, one for each reason, and about the indices that moved
// because of them.
std::vector<std::string> missing_sentences(const Topology& topology);

// "0-6", "0,2": numbers in order.
std::string range_text(std::vector<std::uint32_t> numbers);

// All links between the agents of two physical GPUs; of one, between its partitions.
struct LinkKind {
    std::string type;
    std::optional<std::uint64_t> hops;
    std::uint64_t weight = 0;
    bool mixed = false;  // there are several kinds; this is the cheapest
};
std::optional<LinkKind> link_between(const Topology& topology, std::size_t from, std::size_t to);

}  // namespace rocenv
