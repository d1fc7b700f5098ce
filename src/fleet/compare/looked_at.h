// SPDX-License-Identifier: MIT
// Ids that a report lacks for a reason that is not the node's: a recording has no process, and an
// older version does not know later ids. Neither is compared.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

class ComparableIds {
   public:
    // Reads all reports in the pools. An id that others have and no report of a version has is
    // unknown to that version.
    explicit ComparableIds(const FleetPools& pools);

    // `id` is of the pool.
    bool takes(const FleetReport& report, std::string_view id) const;

    // Ids that this version does not know and others do, sorted.
    std::set<std::string_view> unknown_to(std::string_view version) const;

   private:
    using Ids = std::unordered_set<const char*>;
    void add(const FleetReport& report, std::string_view id);

    std::unordered_map<const char*, Ids> ids_of_;  // by version
    std::unordered_map<const char*, std::string_view> ids_;
    Ids of_process_;
    bool takes_all_ = true;
};

// Says that versions differ, of which nodes, and what some of them do not look at. `doubtful`:
// there is such a thing, which --strict does not let pass.
void warn_of_versions(const ComparableIds& looked, const FleetPools& pools, FleetResult& out);

}  // namespace rocenv
