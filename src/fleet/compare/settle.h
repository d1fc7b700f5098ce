// SPDX-License-Identifier: MIT
// Selects one report for each node, and lists conflicts with its other reports.
//
// The status of a node is the worst of these reports: the report that counts; one from the future;
// the newest of each filter (--only, --skip, --scope process) that is not older; the newest of
// another machine that goes by the same name. Where that is another report than the one that
// counts, FleetReport::because says so. An older report of another profile, or from within a
// container, changes no status: where it was worse, a warning names the node.
#pragma once

#include "fleet/compare/compare.h"

namespace rocenv {

// Fills nodes, and who is stale or has a report from the future, with warnings.
void settle_nodes(const Sweep& sweep, FleetPools& pools, const CompareRequest& request,
                  FleetResult& out);

}  // namespace rocenv
