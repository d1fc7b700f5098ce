// SPDX-License-Identifier: MIT
// Differences between a report and its group's baseline, or an earlier report of its node.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/fleet.h"

namespace rocenv {

// A key with the fact on each of two sides; no_fact if a side has none.
struct FactPair {
    FleetIndex key = 0;
    FleetIndex here = no_fact;
    FleetIndex others = no_fact;
};

// Returns the differences of facts by id and target. For numbered targets, as policy0-383, the
// numbers that differ are listed.
std::vector<FleetDifference> fact_differences(std::vector<FactPair> pairs,
                                              const std::vector<FleetFact>& facts,
                                              const FactKeys& keys);

// Returns the keys of the facts in which a report differs from a baseline.
std::vector<FactPair> pairs_with(const FactBaseline& baseline, const FleetReport& report,
                                 const FactKeys& keys);

// Returns the words for a side that has no item of an id and target.
using SideWords = std::function<std::string_view(std::string_view id, std::string_view target)>;

// The items of one side, sorted.
struct ItemSide {
    const std::vector<FleetIndex>& items;
    SideWords words;
};

// Returns the differences between the items of two sides. If both sides name one id and target,
// they make one difference.
std::vector<FleetDifference> item_differences(const ItemSide& here, const ItemSide& others,
                                              const std::vector<FleetFinding>& items);

// Sorts the most important differences first: required ones that differ or are unknown, then
// recommended ones, facts, and the rest.
void sort_by_weight(std::vector<FleetDifference>& differences);

// Returns the value of a fact: "6.8.0-45-generic", "unread (permission)", "not there" for nullptr.
std::string fact_words(const FleetFact* fact);

// Returns whether a target is CPUs or policies by number, as "policy0-383" or "cpu0-3,7/C2".
bool is_numbered_target(std::string_view target);

// Returns "differs: have 1, want 0".
std::string finding_words(const FleetFinding& item);

}  // namespace rocenv
