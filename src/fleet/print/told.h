// SPDX-License-Identifier: MIT
// Differences and splits as a page of text lists them: equal ones as one.
#pragma once

#include <string>
#include <vector>

#include "fleet/fleet.h"

namespace rocenv {

// Differences that are equal on several targets.
struct ToldDifference {
    const FleetDifference* first = nullptr;
    std::vector<std::string> targets;
};
std::vector<ToldDifference> told(const std::vector<FleetDifference>& all);

// Facts without a majority that are equal on several targets.
struct ToldSplit {
    const FleetSplit* first = nullptr;
    std::vector<std::string> targets;
};
std::vector<ToldSplit> told(const std::vector<FleetSplit>& all);

// Returns true if reports of several versions of the program are compared, so that groups name
// theirs.
bool has_versions(const FleetResult& fleet);

// Returns " 0000:05:00.0 and 7 more"; empty for the target "system".
std::string targets_text(const std::vector<std::string>& targets);

}  // namespace rocenv
