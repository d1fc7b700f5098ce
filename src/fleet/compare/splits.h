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

// A report with the nodes that it stands for.
struct ReportNodes {
    FleetIndex report = 0;
    std::span<const FleetIndex> nodes;
};

// Returns the folded names of nodes, which are indices into FleetResult::nodes.
using NamesOf = std::function<std::string(const std::vector<FleetIndex>& nodes)>;

// Returns the keys of the baseline without a majority, by id and target. The nodes of each value
// follow, most nodes first, then by value. Reports without facts, or that do not cover the id, are
// left out. A node without the fact counts as "not there".
std::vector<FleetSplit> splits_of(const FactBaseline& baseline,
                                  const std::vector<ReportNodes>& reports, const FleetPools& pools,
                                  const FactKeys& keys, const ComparableIds& coverage,
                                  const NamesOf& names);

// Returns the differences between two nodes that are compared with no other, by id and target. The
// node with the lower index is the first side. Empty unless exactly two reports have facts, and
// each stands for one node. Ids that one report does not cover are left out.
std::vector<FleetSplit> pair_splits(const std::vector<ReportNodes>& reports,
                                    const FleetPools& pools, const FactKeys& keys,
                                    const ComparableIds& coverage, const NamesOf& names);

// Nodes that were compared with no other node, with the reason.
class Uncompared {
   public:
    explicit Uncompared(const FleetPools& pools) : pools_(pools) {}

    // Adds nodes of one model, product and --group-by. Nodes without facts, or with none that could
    // be read, are always listed; one or two others unless `by_reference` (they are compared with
    // the reference), or if two of one known model do not `differ`.
    void add(const std::string& model, const std::vector<ReportNodes>& reports, bool by_reference,
             bool differ);

    // Adds nodes with facts whose findings were compared with those of no other node.
    void add_findings(const std::vector<FleetIndex>& group, const std::vector<FleetNode>& nodes);

    // Returns the nodes, sorted by reason. Call it after the last add().
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
