// SPDX-License-Identifier: MIT
// Facts that the nodes of a group do not agree on, with who has what.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

// A report with the nodes that it stands for.
struct ReportNodes {
    FleetIndex report = 0;
    std::span<const FleetIndex> nodes;
};

using NamesOf = std::function<std::string(const std::vector<FleetIndex>& nodes)>;

// The places of the baseline that have no majority, by id and target.
std::vector<FleetSplit> splits_of(const FactBaseline& baseline,
                                  const std::vector<ReportNodes>& reports, const FleetPools& pools,
                                  const FactPlaces& places, const ComparableIds& looked,
                                  const NamesOf& names);

// In what two nodes differ that are compared with no other. Nothing where not just two of the
// reports' nodes have facts.
std::vector<FleetSplit> pair_splits(const std::vector<ReportNodes>& reports,
                                    const FleetPools& pools, const FactPlaces& places,
                                    const ComparableIds& looked, const NamesOf& names);

}  // namespace rocenv
