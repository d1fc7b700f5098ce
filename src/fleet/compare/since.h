// SPDX-License-Identifier: MIT
// Two sweeps of the same nodes: nodes and values that are new, gone or changed, and the growth of
// counters.
#pragma once

#include "fleet/compare/baseline.h"
#include "fleet/compare/presence.h"
#include "fleet/read/precedence.h"

namespace rocenv {

// The data that reports are compared by.
struct ComparedBy {
    const FactKeys& facts;
    const FindingKeys& findings;
    const ComparableIds& coverage;
};

// Returns the changes in `now` since the sweep `then`, which was read from `folder`: most nodes
// first, growths by node. Each node's earlier report is the one that counted_report() selects. Ids
// that one of the two reports does not cover are left out. Both sweeps are in the pools.
FleetSince compared_with(const Sweep& then, const std::string& folder,
                         const std::vector<FleetNode>& now, const FleetPools& pools,
                         const ComparedBy& by);

}  // namespace rocenv
