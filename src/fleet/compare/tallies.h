// SPDX-License-Identifier: MIT
// Counts over all nodes that count.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/compare/compare.h"

namespace rocenv {

// Sets the nodes that are missing or not expected. Does nothing if no node is expected. A node with
// only a stale report is not missing.
void take_expected(const Sweep& sweep, const CompareRequest& request, FleetResult& out);

// Returns the findings that are waived, or not ok, na or hidden, by id, level, outcome and ticket.
// Waived ones are last; the order is then by level, `differs` first, most nodes, id. Each node must
// have its group.
std::vector<FleetTally> tallies(const std::vector<FleetNode>& nodes,
                                const std::vector<FleetGroup>& groups, const FleetPools& pools);

// Returns the step of each model with a fix, by model. If all models have one fix, they become one
// step with an empty model.
std::vector<FleetStep> steps_by_model(const std::map<std::string, std::string_view>& fixes);

// Sets the counts of nodes, warnings and the exit status. 1 if a node's status or `beside_exit` is
// 1, or with `strict` if nodes differ in a value that was read, a report holds no finding, or the
// result is `mistrusted`. Else 3 if a status is unknown, a node is missing or stale, an input was
// not read, the result is `uncounted`, no report holds a finding, or with a maximum age a report is
// ahead of the clock. Also 3 with `strict` if there is another outlier, a fact without a majority,
// or the result is `doubtful`. Else 0.
void count_nodes(const Sweep& sweep, const FleetPools& pools, const CompareRequest& request,
                 FleetResult& out);

}  // namespace rocenv
