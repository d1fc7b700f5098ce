// SPDX-License-Identifier: MIT
// The baseline of each group: the majority of its nodes, or a reference if it applies to them. A
// reference is the report of a good node, or a profile.
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

// Returns the reference in a file or folder that holds one node's report or recording, and adds the
// other content to `problems`. Fails with bad_input unless it holds exactly one node and can be
// read; `problems` is then unchanged.
Result<FleetReference> reference_report(const std::string& path, FleetPools& pools,
                                        IdFilter& filter, const JudgeRecording& judge,
                                        Problems& problems);

// Returns the reference of a profile, as `profile learn` writes one: the facts that it expects,
// even if no node has them; these are added to the pools. Adds the ids of values that no fact can
// be compared with, such as ">=6.8" and "equal", and ids without a fact, to `unused`. All reports
// must be in the pools. Fails with bad_input or timed_out if the profile has an error.
Result<FleetReference> reference_profile(const std::string& path, const ProfileStore& store,
                                         FleetPools& pools, std::vector<std::string>& unused);

// The expected findings of the nodes of a group.
struct ItemBaseline {
    bool there = false;             // false: findings are not compared
    std::vector<FleetIndex> items;  // ascending
    Presences states;
    std::vector<FleetIndex> common;  // items of the majority that the reference has, too
};

// The baselines of all groups. Keeps references to its arguments.
class GroupBaselines {
   public:
    GroupBaselines(const FleetPools& pools, const CompareRequest& request, const FactKeys& keys,
                   const ComparableIds& coverage);

    // Returns the reference if it is a node's report, otherwise nullptr.
    const FleetReport* node_reference() const;
    // Returns whether nodes of this model are compared with the reference. A profile is for all
    // models, a node with facts for its own.
    bool is_for(const GroupKey& kin) const;

    // Returns the expected facts of a group with the reports `all`: those of the reference, or the
    // majority if it is not for this model. Facts that a reference profile does not mention have
    // their majority.
    FactBaseline facts(const GroupKey& kin, const std::vector<Weighted>& all) const;
    // Returns the findings of a reference node with this profile digest, else the majority of the
    // group's reports `all`. Not `there` if these are of fewer than three nodes.
    ItemBaseline findings(const GroupKey& kin, const std::string& digest,
                          const std::vector<Weighted>& all, const FindingItems& items,
                          const FindingKeys& keys) const;

    // Removes differences in ids that this report or the reference node does not check. If the
    // reference is a profile, marks those from the majority: findings, and facts of other ids.
    void finish(const GroupKey& kin, const FleetReport& report,
                std::vector<FleetDifference>& differences) const;

    // Adds warnings about a reference node that has no facts, does not pass, or has unread facts.
    // Sets `doubtful` unless it only fails, and `mistrusted` for unread facts.
    void warn(FleetResult& out) const;
    // Adds a warning and sets `doubtful` for a group that is not compared with the reference node,
    // or only by facts. Does nothing if the reference has no facts.
    void warn_of_strangers(const GroupKey& kin, const FleetGroup& group, FleetResult& out) const;

   private:
    // Returns whether the reference is a profile.
    bool is_profile() const { return request_.reference && !request_.reference->report; }
    FactBaseline facts_of_profile(const std::vector<Weighted>& all) const;
    std::set<std::string_view> unread() const;

    const FleetPools& pools_;
    const CompareRequest& request_;
    const FactKeys& fact_keys_;
    const ComparableIds& coverage_;
    std::string model_;      // model of a reference that is a node's report
    FactBaseline expected_;  // facts of a reference that is a profile
    std::unordered_set<std::string_view> expected_ids_;  // ids of these facts
};

}  // namespace rocenv
