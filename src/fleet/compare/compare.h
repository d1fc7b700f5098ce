// SPDX-License-Identifier: MIT
// The comparison of gathered reports: groups, folds, outliers and their differences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/gather.h"
#include "fleet/read/pools.h"

namespace rocenv {

// The reference that replaces the majority in comparisons: one node's report, or the facts that a
// profile expects.
struct FleetReference {
    std::string name;
    std::optional<FleetIndex> report;  // std::nullopt: use `expected`
    std::vector<FleetIndex> expected;
};

// Options of a comparison.
struct CompareRequest {
    std::vector<std::string> group_by;            // ids of facts
    std::vector<std::string> expect;              // names; empty: no expectation
    std::optional<std::int64_t> max_age_seconds;  // std::nullopt: no limit
    std::int64_t now_seconds = 0;
    bool strict = false;  // outliers count as failures
    std::optional<FleetReference> reference;
    std::string since_folder;
    const Sweep* since = nullptr;
};

// Returns the comparison of all nodes of a sweep. The result owns the rows of the pools afterwards.
FleetResult compare_fleet(const Sweep& sweep, FleetPools& pools, Problems& problems,
                          const CompareRequest& request);

}  // namespace rocenv
