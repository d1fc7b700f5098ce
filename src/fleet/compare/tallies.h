// SPDX-License-Identifier: MIT
// Counts over all nodes that count.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/compare/compare.h"

namespace rocenv {

// Sets the nodes that are missing or not expected.
void take_expected(const Sweep& sweep, const CompareRequest& request, FleetResult& out);

// Returns the findings that are not ok, or waived, with their numbers of nodes and targets.
std::vector<FleetTally> tallies(const std::vector<FleetNode>& nodes,
                                const std::vector<FleetGroup>& groups, const FleetPools& pools);

// Returns the step of each model, by its fix. Equal steps become one for all models.
std::vector<FleetStep> steps_by_model(const std::map<std::string, std::string_view>& fixes);

// Sets the counts of nodes, warnings and the exit status. 1 if a node's report ended with 1, or
// with `strict` if there is an outlier or a split. Else 3 if a status is unknown or there is no
// report, or with `strict` if a node was not compared. Else 0.
void count_nodes(const Sweep& sweep, const FleetPools& pools, const CompareRequest& request,
                 FleetResult& out);

}  // namespace rocenv
