// SPDX-License-Identifier: MIT
// The baseline of a group: its majority, or a reference if that applies to the group.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/compare/compare.h"
#include "fleet/compare/looked_at.h"
#include "fleet/compare/presence.h"
#include "fleet/read/groups.h"

namespace rocenv {

// The findings that nodes of a group should have.
struct ItemBaseline {
    bool there = false;
    std::vector<FleetIndex> items;
    Presences places;
    std::vector<FleetIndex> common;  // items that most nodes have, and a reference, too
};

class HeldAgainst {
   public:
    HeldAgainst(const FleetPools& pools, const CompareRequest& request, const FactPlaces& places,
                const ComparableIds& looked);

    // The reference that is a node's report; null: there is none.
    const FleetReport* node_reference() const;
    // Returns true if nodes of this model are compared with the reference.
    bool is_for(const GroupKey& kin) const;

    // A profile that is the reference says nothing of many facts: these have their majority.
    FactBaseline facts(const GroupKey& kin, const std::vector<Weighted>& all) const;
    ItemBaseline findings(const GroupKey& kin, const std::string& digest,
                          const std::vector<Weighted>& all, const FindingItems& items,
                          const FindingPlaces& places) const;

    // Marks differences from the majority where there is a reference, and leaves out what this
    // report or the reference does not look at.
    void finish(const GroupKey& kin, const FleetReport& report,
                std::vector<FleetDifference>& differences) const;

    // Warns of parts that the reference does not state.
    void warn(FleetResult& out) const;
    // Warns of a group that is not compared with the reference, or only in part.
    void warn_of_strangers(const GroupKey& kin, const FleetGroup& group, FleetResult& out) const;

   private:
    // Returns true if the reference is a profile.
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
