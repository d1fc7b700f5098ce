// SPDX-License-Identifier: MIT
// The part of reports that is comparable between program versions and with recordings: ids that
// both cover, and values by their codes. Everything else is not compared.
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

// The ids that a report covers. A recording has no process, and an older version lacks later ids.
class ComparableIds {
   public:
    // Reads all reports in the pools. An id that appears only in reports of other versions is
    // unknown to a version. Below, ids, versions and reports must be of these pools.
    explicit ComparableIds(const FleetPools& pools);

    // Returns whether the report covers an id: some report of its version has the id, and a
    // recording covers no id of a process. Always true for one version without recordings.
    bool covers(const FleetReport& report, std::string_view id) const;

    // Returns the ids that this version lacks and others have, except environment variables.
    std::set<std::string_view> unknown_to(std::string_view version) const;

   private:
    using Ids = std::unordered_set<const char*>;
    void add(const FleetReport& report, std::string_view id);

    std::unordered_map<const char*, Ids> ids_of_;  // by version
    std::unordered_map<const char*, std::string_view> ids_;
    Ids of_process_;
    bool covers_all_ = true;
};

// Adds one warning if out.nodes have reports of several versions, with the ids that some of these
// do not check (at most five of each). Sets `doubtful` if there are such ids, because --strict does
// not accept them.
void warn_of_versions(const ComparableIds& coverage, const FleetPools& pools, FleetResult& out);

// The `have` of findings in the form that is compared: prose is compared by its code, not its
// words.
class CodedHaves {
   public:
    // Reads all findings of a fleet that are not ok, na or hidden.
    explicit CodedHaves(const std::vector<FleetFinding>& findings);

    // Returns the same text for all findings of an id with one code, otherwise `have` itself, which
    // may be std::nullopt.
    // Reports without codes (0.1.0) get the codes of their texts.
    std::optional<std::string_view> of(const FleetFinding& finding) const;

   private:
    // By the id's address in the pool and the code: the alphabetically first text with that code.
    std::map<std::pair<const char*, std::string>, std::string_view> texts_;
};

}  // namespace rocenv
