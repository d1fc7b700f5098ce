// SPDX-License-Identifier: MIT
#include "fleet/compare/uncompared.h"

#include <algorithm>
#include <iterator>

namespace rocenv {

namespace {

const char* const only_of_model = "the only one of its model";

bool has_read_fact(const FleetReport& report, const FleetPools& pools) {
    return std::any_of(report.facts.begin(), report.facts.end(),
                       [&](FleetIndex fact) { return pools.facts.rows()[fact].value.has_value(); });
}

}  // namespace

void Uncompared::add(const std::string& model, const std::vector<ReportNodes>& reports,
                     bool by_reference, bool differ) {
    Few few{model, {}, differ};
    for (const auto& each : reports) {
        const FleetReport& report = pools_.reports.rows()[each.report];
        auto& into = !report.has_facts               ? without_facts_
                     : has_read_fact(report, pools_) ? few.nodes
                                                     : unread_;
        into.insert(into.end(), each.nodes.begin(), each.nodes.end());
    }
    nodes_of_model_[model] += few.nodes.size();
    if (!few.nodes.empty() && few.nodes.size() < fewest_for_majority && !by_reference) {
        few_.push_back(std::move(few));
    }
}

void Uncompared::add_findings(const std::vector<FleetIndex>& group,
                              const std::vector<FleetNode>& nodes) {
    std::copy_if(group.begin(), group.end(), std::back_inserter(lone_findings_),
                 [&](FleetIndex node) {
                     const FleetReport& report = pools_.reports.rows()[nodes[node].report];
                     return report.has_facts && has_read_fact(report, pools_);
                 });
}

// Empty: two nodes that agree are compared with each other.
std::string Uncompared::reason_for(const Few& few) const {
    if (few.model.empty()) {
        return "fewer than three whose model is not told";
    }
    if (few.model.find(" + ") != std::string::npos) {
        return "fewer than three of mixed models (" + few.model + ")";
    }
    if (few.nodes.size() == 1) {
        return nodes_of_model_.at(few.model) == 1
                   ? only_of_model
                   : "alone among its model in product, profile or --group-by";
    }
    return few.differ ? "two that differ, of which neither is the majority" : "";
}

std::vector<FleetUncompared> Uncompared::take(const NamesOf& names) const {
    std::map<std::string, std::vector<FleetIndex>> by_reason;
    for (const auto& few : few_) {
        const std::string reason = reason_for(few);
        if (!reason.empty()) {
            auto& nodes = by_reason[reason];
            nodes.insert(nodes.end(), few.nodes.begin(), few.nodes.end());
        }
    }
    by_reason["without facts (check --facts), compared by findings alone"] = without_facts_;
    by_reason["by findings, of which fewer than three were judged by one profile"] = lone_findings_;
    by_reason["none of its facts could be read"] = unread_;
    std::vector<FleetUncompared> out;
    for (const auto& [reason, nodes] : by_reason) {
        if (!nodes.empty()) {
            out.push_back({reason, names(nodes), nodes.size(), reason != only_of_model});
        }
    }
    return out;
}

}  // namespace rocenv
