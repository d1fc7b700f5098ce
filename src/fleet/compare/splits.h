// SPDX-License-Identifier: MIT
// Facts that the nodes of a group do not agree on, and nodes that were compared with no other.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/fleet.h"
#include "fleet/read/groups.h"
#include "fleet/read/pools.h"

namespace rocenv {

// Facts that the nodes of a group do not agree on, with who has what.

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

// Which nodes were held against no other, and why.

class Uncompared {
   public:
    explicit Uncompared(const FleetPools& pools) : pools_(pools) {}

    // Nodes of one model, product and --group-by. `by_reference`: they are compared with that.
    // `differ`: of two nodes, whether they do.
    void add(const std::string& model, const std::vector<ReportNodes>& reports, bool by_reference,
             bool differ);

    // Nodes with facts whose findings were held against no other's.
    void add_findings(const std::vector<FleetIndex>& group, const std::vector<FleetNode>& nodes);

    // When all were added. Each node once.
    std::vector<FleetUncompared> take(const NamesOf& names) const;

   private:
    // One or two nodes with facts.
    struct Few {
        std::string model;
        std::vector<FleetIndex> nodes;
        bool differ = false;
    };
    std::string reason_for(const Few& few) const;

    const FleetPools& pools_;
    std::map<std::string, std::size_t> nodes_of_model_;
    std::vector<FleetIndex> without_facts_;
    std::vector<FleetIndex> unread_;
    std::vector<FleetIndex> lone_findings_;
    std::vector<Few> few_;
};

}  // namespace rocenv
