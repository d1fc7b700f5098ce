// SPDX-License-Identifier: MIT
// Groups of nodes that should be equal: one model, one product, and equal --group-by facts.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

// The key of a group.
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

// Returns the ids of facts that make groups: model, product, and those given (ID or ID/TARGET),
// without their targets.
std::vector<std::string> grouping_ids(const std::vector<std::string>& group_by);

// Returns the given ids as the facts of the fleet have them, with a glob as each id that it
// matches. Adds those without a fact to `lacking`.
std::vector<std::string> grouping_facts(const std::vector<std::string>& group_by,
                                        const FleetPools& pools, std::vector<std::string>& lacking);

// Returns the group of a report by its facts that were read. Several values of one part are sorted
// and joined by " + "; a part without a value is empty. The number of GPUs does not count, so that
// a node that lost a GPU is an outlier among its peers.
GroupKey group_key(const FleetReport& report, const FleetPools& pools,
                   const std::vector<std::string>& group_by);

// The number of each report's model, product and --group-by, found once for each report.
class Kins {
   public:
    Kins(const FleetPools& pools, const std::vector<std::string>& group_by)
        : pools_(pools), group_by_(group_by) {}
    // Returns the number of a report's kin, from 0 in the order of first use.
    FleetIndex of(FleetIndex report);
    // Returns the key of a report with its digest and version.
    GroupKey key_of(FleetIndex report);

   private:
    const FleetPools& pools_;
    const std::vector<std::string>& group_by_;
    std::map<GroupKey, FleetIndex> known_;   // without digest and version
    std::vector<const GroupKey*> keys_;      // keys in `known_`, by number
    std::vector<FleetIndex> kin_of_report_;  // 0: not found yet, else the number plus 1
};

// The machine of a node by the facts of its report. Unknown parts are empty.
struct MachineIdentity {
    std::string product;
    std::string models;  // "MI300X"
    std::string gpus;    // number of GPUs
};
// Returns the machine in a report's facts.
MachineIdentity identity_of(const FleetReport& report, const FleetPools& pools);

// Returns "AS -8125GS-TNMR2, 8 x MI300X". Unknown parts are left out.
std::string machine_words(const MachineIdentity& machine);

}  // namespace rocenv
