// SPDX-License-Identifier: MIT
// Lists of nodes and differences as a page of text tells them: broken into lines, and what is alike
// as one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fleet/fleet.h"

namespace rocenv {

// A folded list of names after `first`, broken behind commas; without end where all are asked for.
std::string name_lines(std::string_view first, std::size_t indent, const std::string& names,
                       bool all);

// Differences that say the same of several targets, as one.
struct ToldDifference {
    const FleetDifference* first = nullptr;
    std::vector<std::string> targets;
};
std::vector<ToldDifference> told(const std::vector<FleetDifference>& all);

// The same of places without a majority.
struct ToldSplit {
    const FleetSplit* first = nullptr;
    std::vector<std::string> targets;
};
std::vector<ToldSplit> told(const std::vector<FleetSplit>& all);

// Whether reports of several versions of the program are compared, so that groups name theirs.
bool has_versions(const FleetResult& fleet);

// " 0000:05:00.0 and 7 more"; nothing of the system.
std::string targets_text(const std::vector<std::string>& targets);

}  // namespace rocenv
