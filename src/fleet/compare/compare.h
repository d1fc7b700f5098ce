// SPDX-License-Identifier: MIT
// The reports that were gathered, compared: groups, folds, who stands out and in what.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/gather.h"
#include "fleet/read/pools.h"

namespace rocenv {

// The reference that nodes are compared with instead of their majority: one node's report, or the
// facts that a profile wants.
struct FleetReference {
    std::string name;
    std::optional<FleetIndex> report;  // nothing: these facts
    std::vector<FleetIndex> wanted;
};

struct CompareRequest {
    std::vector<std::string> group_by;            // ids of facts
    std::vector<std::string> expect;              // names; none: nothing is expected
    std::optional<std::int64_t> max_age_seconds;  // nothing: any
    std::int64_t now_seconds = 0;
    bool strict = false;  // what stands out counts as differing
    std::optional<FleetReference> reference;
    std::string since_folder;
    const Sweep* since = nullptr;
};

// Takes what the pools hold along.
FleetResult compare_fleet(const Sweep& sweep, FleetPools& pools, Problems& problems,
                          const CompareRequest& request);

}  // namespace rocenv
