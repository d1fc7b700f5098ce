// SPDX-License-Identifier: MIT
// In what a report is not as its group's baseline, or as an earlier report of its node.
#pragma once

#include <span>
#include <vector>

#include "fleet/baseline.h"
#include "fleet/fleet.h"

namespace rocenv {

// A place with what stands there in each of two; no_fact: nothing.
struct FactPair {
    FleetIndex place = 0;
    FleetIndex here = no_fact;
    FleetIndex others = no_fact;
};

// By id and target. Where targets are numbered, as policy0-383, those numbers that differ are told.
std::vector<FleetDifference> fact_differences(std::vector<FactPair> pairs,
                                              const std::vector<FleetFact>& facts,
                                              const FactPlaces& places);

std::vector<FactPair> pairs_with(const FactBaseline& baseline, const FleetReport& report,
                                 const FactPlaces& places);

// Of sorted items; both sides may name one id and target, then they are one difference.
std::vector<FleetDifference> item_differences(const std::vector<FleetIndex>& here,
                                              const std::vector<FleetIndex>& others,
                                              const std::vector<FleetFinding>& items);

// "differs: have 1, want 0"
std::string finding_words(const FleetFinding& item);

}  // namespace rocenv
