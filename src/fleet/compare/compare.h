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
    std::vector<FleetIndex> expected;  // facts of the pool
};

// Options of a comparison.
struct CompareRequest {
    std::vector<std::string> group_by;            // ids of facts
    std::vector<std::string> expect;              // node names; empty: no expectation
    std::optional<std::int64_t> max_age_seconds;  // std::nullopt: no limit
    std::int64_t now_seconds = 0;                 // since 1970
    bool strict = false;                          // outliers count as failures
    std::optional<FleetReference> reference;
    std::string since_folder;      // path of `since` for the result
    const Sweep* since = nullptr;  // an earlier sweep of the same pools; nullptr: none
};

// Returns the comparison of all nodes of a sweep, with its exit status. The result owns the rows of
// the pools and the list in `problems` afterwards.
FleetResult compare_fleet(const Sweep& sweep, FleetPools& pools, Problems& problems,
                          const CompareRequest& request);

}  // namespace rocenv
