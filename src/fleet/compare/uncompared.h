// SPDX-License-Identifier: MIT
// Which nodes were held against no other, and why.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fleet/compare/groups.h"
#include "fleet/compare/splits.h"
#include "fleet/read/pools.h"

namespace rocenv {

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
