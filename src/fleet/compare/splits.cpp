// SPDX-License-Identifier: MIT
#include "fleet/compare/splits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "fleet/compare/differences.h"

namespace rocenv {

namespace {

// The nodes of each value of one key. Values that could not be read are listed under their words.
struct SplitSides {
    std::map<std::string, std::vector<FleetIndex>> sides;
    std::set<std::string> read;  // sides that are values
};
using SplitsByKey = std::map<FleetIndex, SplitSides>;

void add_side(SplitSides& into, const FleetFact* fact, std::span<const FleetIndex> nodes) {
    const std::string words = fact_words(fact);
    auto& side = into.sides[words];
    side.insert(side.end(), nodes.begin(), nodes.end());
    if (fact == nullptr || fact->value) {
        into.read.insert(words);
    }
}

void add_report(const ReportNodes& each, const FleetPools& pools, const FactKeys& keys,
                const ComparableIds& coverage, SplitsByKey& into) {
    const FleetReport& row = pools.reports.rows()[each.report];
    if (!row.has_facts) {
        return;
    }
    std::set<FleetIndex> seen;
    for (const auto index : row.facts) {
        const auto found = into.find(keys.of(index));
        if (found != into.end() && seen.insert(found->first).second &&
            coverage.covers(row, pools.facts.rows()[index].id)) {
            add_side(found->second, &pools.facts.rows()[index], each.nodes);
        }
    }
    for (auto& [key, sides] : into) {
        if (!seen.contains(key) && coverage.covers(row, keys.all()[key].id)) {
            add_side(sides, nullptr, each.nodes);
        }
    }
}

std::vector<FleetSplit::Side> sorted_sides(const SplitSides& split, const NamesOf& names) {
    std::vector<FleetSplit::Side> out;
    out.reserve(split.sides.size());
    for (const auto& [value, nodes] : split.sides) {
        out.push_back({value, nodes.size(), names(nodes)});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    return out;
}

}  // namespace

std::vector<FleetSplit> splits_of(const FactBaseline& baseline,
                                  const std::vector<ReportNodes>& reports, const FleetPools& pools,
                                  const FactKeys& keys, const ComparableIds& coverage,
                                  const NamesOf& names) {
    SplitsByKey found;
    for (const auto key : baseline.splits) {
        found[key];
    }
    if (found.empty()) {
        return {};
    }
    for (const auto& each : reports) {
        add_report(each, pools, keys, coverage, found);
    }
    std::vector<FleetSplit> out;
    for (const auto& [key, sides] : found) {
        const FactKey& at = keys.all()[key];
        out.push_back(
            {at.id, std::string(at.target), sorted_sides(sides, names), sides.read.size() < 2});
    }
    std::sort(out.begin(), out.end(), [](const FleetSplit& a, const FleetSplit& b) {
        return std::tie(a.id, a.target) < std::tie(b.id, b.target);
    });
    return out;
}

std::vector<FleetSplit> pair_splits(const std::vector<ReportNodes>& reports,
                                    const FleetPools& pools, const FactKeys& keys,
                                    const ComparableIds& coverage, const NamesOf& names) {
    std::vector<ReportNodes> two;
    for (const auto& each : reports) {
        if (pools.reports.rows()[each.report].has_facts) {
            two.push_back(each);
        }
    }
    if (two.size() != 2 || two[0].nodes.size() != 1 || two[1].nodes.size() != 1) {
        return {};
    }
    if (two[1].nodes.front() < two[0].nodes.front()) {
        std::swap(two[0], two[1]);
    }
    const auto& rows = pools.facts.rows();
    const auto other = all_facts(pools.reports.rows()[two[1].report], keys);
    const auto differences =
        fact_differences(pairs_with(other, pools.reports.rows()[two[0].report], keys), rows, keys);
    std::vector<FleetSplit> out;
    out.reserve(differences.size());
    for (const auto& each : differences) {
        if (!coverage.covers(pools.reports.rows()[two[0].report], each.id) ||
            !coverage.covers(pools.reports.rows()[two[1].report], each.id)) {
            continue;
        }
        out.push_back({each.id,
                       each.target,
                       {{each.here, 1, names({two[0].nodes.front()})},
                        {each.others, 1, names({two[1].nodes.front()})}},
                       each.unread});
    }
    return out;
}

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
        return "fewer than three of an unknown model";
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
    by_reason["by findings, of which fewer than three were checked with one profile"] =
        lone_findings_;
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
