// SPDX-License-Identifier: MIT
// topo --get and --bind: one answer for a script.
#pragma once

#include "cli/choices.h"
#include "commands/topology/topology.h"
#include "os/child/supervise.h"
#include "rocenv/process.h"

namespace rocenv {

// Reads of a topology what these keys (or globs) can name. The CPU topology is for the caller to
// add when needs_cpu_topology() says so.
Topology read_for_keys(const Machine& machine, const std::vector<std::string>& keys);
bool needs_cpu_topology(const std::vector<std::string>& keys);

// One value a line, in the order of the keys; a glob gives what it matches in the order of the JSON
// report. A value that cannot be known is "null". A key that names nothing: 2, and nothing is
// printed.
Output get_values(const Topology& topology, const std::vector<std::string>& keys);

// The agent for the process with this rank among those of its node, and what is near to it. Ranks
// count what ROCR_VISIBLE_DEVICES leaves of the agents. No such agent: 2. A format that cannot do
// without a value that is not known: 3.
Output bind_rank(const Topology& topology, const Process& process, std::uint64_t rank,
                 BindFormat format);

}  // namespace rocenv
