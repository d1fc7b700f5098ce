// SPDX-License-Identifier: MIT
// Which nodes should be equal: those of one model, product, and what --group-by names.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

struct GroupKey {
    std::string model;
    std::string product;
    std::vector<std::pair<std::string, std::string>> by;
    std::string digest;
    std::string version;
    bool operator<(const GroupKey& other) const {
        return std::tie(model, product, by, digest, version) <
               std::tie(other.model, other.product, other.by, other.digest, other.version);
    }
};

// The ids of facts that make groups: a model's, a product's, and those named (ID or ID/TARGET).
std::vector<std::string> grouping_ids(const std::vector<std::string>& group_by);

// Those named as the facts of the fleet have them: a glob as each id that it matches. `lacking`
// gets those of which there is no fact.
std::vector<std::string> grouping_facts(const std::vector<std::string>& group_by,
                                        const FleetPools& pools, std::vector<std::string>& lacking);

// By the facts of a report. The number of GPUs is no part of it: a node that lost one is an odd one
// among its like.
GroupKey group_key(const FleetReport& report, const FleetPools& pools,
                   const std::vector<std::string>& group_by);

// The reports of each model, product and --group-by as a number, found once for each report.
class Kins {
   public:
    Kins(const FleetPools& pools, const std::vector<std::string>& group_by)
        : pools_(pools), group_by_(group_by) {}
    FleetIndex of(FleetIndex report);
    // Returns the key of a report with its digest and version.
    GroupKey key_of(FleetIndex report);

   private:
    const FleetPools& pools_;
    const std::vector<std::string>& group_by_;
    std::map<GroupKey, FleetIndex> known_;   // without digest and version
    std::vector<const GroupKey*> keys_;      // of `known_`, by number
    std::vector<FleetIndex> kin_of_report_;  // 0: not found yet, else 1 and the number
};

// What a node is by the facts of its report. Empty parts are not known.
struct MachineIdentity {
    std::string product;
    std::string models;  // "MI300X"
    std::string gpus;    // how many
};
MachineIdentity identity_of(const FleetReport& report, const FleetPools& pools);

// "AS -8125GS-TNMR2, 8 x MI300X"
std::string machine_words(const MachineIdentity& machine);

}  // namespace rocenv
