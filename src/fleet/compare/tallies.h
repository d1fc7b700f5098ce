// SPDX-License-Identifier: MIT
// Counts over all nodes that count.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/compare/compare.h"

namespace rocenv {

// Fills who is missing or not expected.
void take_expected(const Sweep& sweep, const CompareRequest& request, FleetResult& out);

// Counts the findings that are not ok, or waived.
std::vector<FleetTally> tallies(const std::vector<FleetNode>& nodes,
                                const std::vector<FleetGroup>& groups, const FleetPools& pools);

// Returns the step of each model, by its fix; one step for all models if they are equal.
std::vector<FleetStep> steps_by_model(const std::map<std::string, std::string_view>& fixes);

// Fills the counts of nodes, warnings and the exit status: 1 where a node's report says so (with
// `strict` where one stands out, or nodes of a group do not agree), else 3 where one could not be
// read or there is none (with `strict` where one was not compared), else 0.
void count_nodes(const Sweep& sweep, const FleetPools& pools, const CompareRequest& request,
                 FleetResult& out);

}  // namespace rocenv
