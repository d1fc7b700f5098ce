// SPDX-License-Identifier: MIT
// Sentences about nodes. Equal differences and splits are listed as one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fleet/fleet.h"

namespace rocenv {

// Returns "gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus", or for outliers
// "6 settings differ from its 8 peers: gpu.vbios, kernel.version, ... (passes)".
// For nodes with a fault in a report that does not count, the sentence ends with it.
std::string row_sentence(const FleetResult& fleet, const FleetRow& row);

// Returns "by another machine of this name: ...", "no complete report, ...".
std::string because_text(std::string_view because);

// A difference that is equal on several targets.
struct PrintedDifference {
    const FleetDifference* first = nullptr;
    std::vector<std::string> targets;
};
// Returns the differences by fact or finding, with the targets on which they are equal. Leaves out
// facts that a finding of the same id and target covers.
std::vector<PrintedDifference> printed(const std::vector<FleetDifference>& all);

// A fact without a majority that is equal on several targets.
struct PrintedSplit {
    const FleetSplit* first = nullptr;
    std::vector<std::string> targets;
};
// Returns the splits by fact, with the targets on which they are equal.
std::vector<PrintedSplit> printed(const std::vector<FleetSplit>& all);

// Returns whether reports of several program versions are compared. Groups then name their version.
bool has_versions(const FleetResult& fleet);

// Returns " 0000:05:00.0 and 7 more"; empty for the target "system".
std::string targets_text(const std::vector<std::string>& targets);

}  // namespace rocenv
