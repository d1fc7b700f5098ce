// SPDX-License-Identifier: MIT
// What reports of several versions of the program, and recordings, say of the same things: ids that
// both know, and values by their codes. Anything else is not compared.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

// The ids that a report says something about. A recording has no process, and an older version does
// not know what came later.
class ComparableIds {
   public:
    // Of all reports in the pools. What no report of a version says that others do, that version
    // does not know.
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

// Warns that versions differ, on which nodes, and what some of them do not check. `doubtful`:
// there is such a thing, which --strict does not let pass.
void warn_of_versions(const ComparableIds& looked, const FleetPools& pools, FleetResult& out);

// The `have` of findings as it is compared: where it is prose, its code counts and not its words.
class CodedHaves {
   public:
    // Of all findings of a fleet whose outcome is worth a line.
    explicit CodedHaves(const std::vector<FleetFinding>& findings);

    // Returns the same text for all findings of an id with one code, else `have` itself. Reports
    // without codes (0.1.0) have those of their texts.
    std::optional<std::string_view> of(const FleetFinding& finding) const;

   private:
    // By the id's place in the pool and the code: of the texts with it the first one in
    // alphabetical order.
    std::map<std::pair<const char*, std::string>, std::string_view> texts_;
};

}  // namespace rocenv
