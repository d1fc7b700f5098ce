// SPDX-License-Identifier: MIT
// What the nodes of a group are compared with: their majority, or a reference where it is for them.
// A reference is the report of a good node, or a profile.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/compare/comparable.h"
#include "fleet/compare/compare.h"
#include "fleet/compare/presence.h"
#include "fleet/read/gather.h"
#include "fleet/read/groups.h"

namespace rocenv {

class ProfileStore;

// Of a file that holds one node's report, or its recording. bad_input: it holds none, or several
// nodes'. What else stands in it is named in `problems`.
Result<FleetReference> reference_report(const std::string& path, FleetPools& pools,
                                        IdFilter& filter, const JudgeRecording& judge,
                                        Problems& problems);

// Of a profile, as `profile learn` writes one: what it wants of facts, if no node has it, too.
// `unused` gets the ids of what no fact can be compared with, as ">=6.8" and "equal". Call it when
// all reports are in the pools.
Result<FleetReference> reference_profile(const std::string& path, const ProfileStore& store,
                                         FleetPools& pools, std::vector<std::string>& unused);

// What the nodes of a group should say in their findings.
struct ItemBaseline {
    bool there = false;
    std::vector<FleetIndex> items;
    Presences places;
    std::vector<FleetIndex> common;  // items that most nodes have, and a reference, too
};

// What each group is compared with.
class GroupBaselines {
   public:
    GroupBaselines(const FleetPools& pools, const CompareRequest& request, const FactPlaces& places,
                   const ComparableIds& looked);

    // The reference that is a node's report; null: there is none.
    const FleetReport* node_reference() const;
    // Whether nodes of this model are compared with the reference.
    bool is_for(const GroupKey& kin) const;

    // A profile that is the reference says nothing of many facts: these have their majority.
    FactBaseline facts(const GroupKey& kin, const std::vector<Weighted>& all) const;
    ItemBaseline findings(const GroupKey& kin, const std::string& digest,
                          const std::vector<Weighted>& all, const FindingItems& items,
                          const FindingPlaces& places) const;

    // Marks differences from the majority where there is a reference, and leaves out what this
    // report or the reference does not check.
    void finish(const GroupKey& kin, const FleetReport& report,
                std::vector<FleetDifference>& differences) const;

    // What a reference cannot tell.
    void warn(FleetResult& out) const;
    // Of a group that is not compared with the reference, or in part only.
    void warn_of_strangers(const GroupKey& kin, const FleetGroup& group, FleetResult& out) const;

   private:
    // Whether the reference is a profile.
    bool is_profile() const { return request_.reference && !request_.reference->report; }
    FactBaseline facts_of_profile(const std::vector<Weighted>& all) const;
    std::set<std::string_view> unread() const;

    const FleetPools& pools_;
    const CompareRequest& request_;
    const FactPlaces& places_;
    const ComparableIds& looked_;
    std::string model_;                                // of the reference that is a node's report
    FactBaseline wanted_;                              // of the one that is a profile
    std::unordered_set<std::string_view> wanted_ids_;  // the same
};

}  // namespace rocenv
