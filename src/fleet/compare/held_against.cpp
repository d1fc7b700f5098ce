// SPDX-License-Identifier: MIT
#include "fleet/compare/held_against.h"

#include <algorithm>
#include <iterator>

#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

void doubt(FleetResult& out, const std::string& warning) {
    out.warnings.push_back(warning);
    out.doubtful = true;
}

std::string group_words(const FleetGroup& group) {
    return "the group " + (group.model.empty() ? "of an unknown model" : group.model) +
           (group.product.empty() ? "" : ", " + group.product) + " (" + group.names + ")";
}

}  // namespace

HeldAgainst::HeldAgainst(const FleetPools& pools, const CompareRequest& request,
                         const FactPlaces& places, const ComparableIds& looked)
    : pools_(pools), request_(request), places_(places), looked_(looked) {
    if (const FleetReport* node = node_reference()) {
        model_ = group_key(*node, pools_, {}).model;
    } else if (is_profile()) {
        wanted_ = wanted_facts(request_.reference->wanted, places_);
        for (const auto fact : request_.reference->wanted) {
            wanted_ids_.insert(pools_.facts.rows()[fact].id);
        }
    }
}

const FleetReport* HeldAgainst::node_reference() const {
    return request_.reference && request_.reference->report
               ? &pools_.reports.rows()[*request_.reference->report]
               : nullptr;
}

bool HeldAgainst::is_for(const GroupKey& kin) const {
    const FleetReport* node = node_reference();
    if (node == nullptr) {
        return request_.reference.has_value();
    }
    return node->has_facts && model_ == kin.model;
}

FactBaseline HeldAgainst::facts_of_profile(const std::vector<Weighted>& all) const {
    FactBaseline out = majority_facts(all, pools_, places_, looked_);
    out.there = true;
    for (const auto& each : all) {
        for (const auto fact : pools_.reports.rows()[each.report].facts) {
            const auto place = places_.of(fact);
            if (const auto* wanted = wanted_.places.find(place)) {
                out.places[place] = *wanted;
            }
        }
    }
    const auto is_wanted = [&](FleetIndex place) { return wanted_.places.contains(place); };
    std::erase_if(out.splits, is_wanted);
    std::erase_if(out.values, is_wanted);
    return out;
}

FactBaseline HeldAgainst::facts(const GroupKey& kin, const std::vector<Weighted>& all) const {
    if (!is_for(kin)) {
        return majority_facts(all, pools_, places_, looked_);
    }
    return request_.reference->report
               ? reference_facts(*node_reference(), pools_.facts.rows(), places_)
               : facts_of_profile(all);
}

ItemBaseline HeldAgainst::findings(const GroupKey& kin, const std::string& digest,
                                   const std::vector<Weighted>& all, const FindingItems& items,
                                   const FindingPlaces& places) const {
    const auto& reports = pools_.reports.rows();
    std::size_t nodes = 0;
    for (const auto& each : all) {
        nodes += each.nodes;
    }
    const auto majority = majority_items(all, reports, items, looked_);
    const FleetReport* node = is_for(kin) ? node_reference() : nullptr;
    if (node != nullptr && node->profile_digest == digest) {
        ItemBaseline out{true, items.of(*node), places.in(*node), {}};
        std::set_intersection(majority.begin(), majority.end(), out.items.begin(), out.items.end(),
                              std::back_inserter(out.common));
        return out;
    }
    if (nodes >= fewest_for_majority) {
        return {true, majority, places.majority(all, reports, looked_), majority};
    }
    return {};
}

void HeldAgainst::finish(const GroupKey& kin, const FleetReport& report,
                         std::vector<FleetDifference>& differences) const {
    const FleetReport* node = is_for(kin) ? node_reference() : nullptr;
    std::erase_if(differences, [&](const FleetDifference& each) {
        return !looked_.takes(report, each.id) ||
               (node != nullptr && !looked_.takes(*node, each.id));
    });
    if (!is_profile()) {
        return;
    }
    for (auto& each : differences) {
        each.by_majority = each.of == FleetSubject::finding || !wanted_ids_.contains(each.id);
    }
}

std::set<std::string_view> HeldAgainst::unread() const {
    std::set<std::string_view> out;
    for (const auto index : node_reference()->facts) {
        const FleetFact& fact = pools_.facts.rows()[index];
        if (!fact.value) {
            out.insert(fact.id);
        }
    }
    return out;
}

void HeldAgainst::warn(FleetResult& out) const {
    const FleetReport* node = node_reference();
    if (node == nullptr) {
        return;
    }
    const std::string& name = request_.reference->name;
    if (!node->has_facts) {
        doubt(out, "the reference " + name +
                       " has no facts (check --facts), so each group is compared with its "
                       "majority");
        return;
    }
    if (node->exit_code != exit_ok) {
        out.warnings.push_back("the reference " + name + " does not pass itself (" +
                               std::string(node->result) + "), so good nodes may differ from it");
    }
    const auto ids = unread();
    if (!ids.empty()) {
        out.mistrusted = true;
        doubt(out, "not compared: the reference " + name + " could not read it: " +
                       join(std::vector<std::string>(ids.begin(), ids.end()), ","));
    }
}

void HeldAgainst::warn_of_strangers(const GroupKey& kin, const FleetGroup& group,
                                    FleetResult& out) const {
    const FleetReport* node = node_reference();
    if (node == nullptr || !node->has_facts) {
        return;
    }
    if (!is_for(kin) || node->profile_digest != group.profile_digest) {
        doubt(out, group_words(group) + " is not compared with the reference " +
                       request_.reference->name +
                       (is_for(kin) ? " by findings, which another profile checked there"
                                    : ", which is of another model"));
    }
}

}  // namespace rocenv
