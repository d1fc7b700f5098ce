// SPDX-License-Identifier: MIT
// Sentences about nodes. Equal differences and splits are listed as one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fleet/fleet.h"

namespace rocenv {

// Returns the cause of a row without its nodes: the first finding and further ids, such as
// "gpu.count: the GPU at 0000:85:00.0 has fallen off the PCIe bus", or for outliers the difference
// or the ids, "6 settings differ from its 8 peers: gpu.vbios, kernel.version, ... (passes)". The
// sentence ends with a fault in a report that does not count.
std::string row_sentence(const FleetResult& fleet, const FleetRow& row);

// Returns a `because` as the cause of a row: "by another machine of this name: ...", or unchanged
// "no complete report, ...". Returns "" for an empty `because`.
std::string because_text(std::string_view because);

// A difference that is equal on several targets.
struct PrintedDifference {
    const FleetDifference* first = nullptr;
    std::vector<std::string> targets;
};
// Returns the differences of one id and equal values as one, in the order of the first of each,
// with pointers into `all`. Leaves out facts that a finding of the same id and target covers.
std::vector<PrintedDifference> printed(const std::vector<FleetDifference>& all);

// A fact without a majority that is equal on several targets.
struct PrintedSplit {
    const FleetSplit* first = nullptr;
    std::vector<std::string> targets;
};
// Returns the splits of one id, equal values and equal nodes as one, with pointers into `all`.
std::vector<PrintedSplit> printed(const std::vector<FleetSplit>& all);

// Returns whether reports of several program versions are compared. Groups then name their version.
bool has_versions(const FleetResult& fleet);

// Returns the first target and the number of the others after a blank: " 0000:05:00.0 and 7 more".
// Empty for the target "system" alone. Requires a target.
std::string targets_text(const std::vector<std::string>& targets);

}  // namespace rocenv
