// SPDX-License-Identifier: MIT
// Differences between a report and its group's baseline, or an earlier report of its node.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/fleet.h"

namespace rocenv {

// A key in FactKeys::all() with the index of its fact on each of two sides; no_fact if a side has
// none.
struct FactPair {
    FleetIndex key = 0;
    FleetIndex here = no_fact;
    FleetIndex others = no_fact;
};

// Returns the differences, sorted by id. Numbers of one word and suffix with equal values on both
// sides make one difference ("policy0-383"), after the other targets of the id. Equal values, and
// numbers within tolerance_of(id), make none.
std::vector<FleetDifference> fact_differences(std::vector<FactPair> pairs,
                                              const std::vector<FleetFact>& facts,
                                              const FactKeys& keys);

// Returns the pairs that differ: `here` from the report, `others` from the baseline. Keys that the
// baseline does not use or has split are left out; an unread fact differs from a read one. Empty if
// the report has no facts or the baseline is not `there`.
std::vector<FactPair> pairs_with(const FactBaseline& baseline, const FleetReport& report,
                                 const FactKeys& keys);

// Returns the words for a side that has no item of an id and target.
using SideWords = std::function<std::string_view(std::string_view id, std::string_view target)>;

// The items of one side: indices into all items, ascending.
struct ItemSide {
    const std::vector<FleetIndex>& items;
    SideWords words;
};

// Returns the differences between the items of two sides, by id and target. An id and target on
// both sides makes one difference, or none if the words are equal. `level` and `unread` are those
// of the item here; without one they are std::nullopt and false.
std::vector<FleetDifference> item_differences(const ItemSide& here, const ItemSide& others,
                                              const std::vector<FleetFinding>& items);

// Sorts stably: required findings that differ, required ones that are unknown, the same for
// recommended ones, facts, findings without a level, findings of level info.
void sort_by_weight(std::vector<FleetDifference>& differences);

// Returns the value of a fact; "unread (REASON)" if it has none, "not there" for nullptr.
std::string fact_words(const FleetFact* fact);

// Returns whether a target is a lower-case word with a list of numbers and an optional "/SUFFIX":
// "policy0-383", "cpu0-3,7/C2", "cpu5". Any word is accepted.
bool is_numbered_target(std::string_view target);

// Returns the outcome with its values: "differs: have 1, want 0", "unknown (permission)". Values
// that the finding lacks are left out. A waived one starts with "waived (TICKET): ".
std::string finding_words(const FleetFinding& item);

}  // namespace rocenv
