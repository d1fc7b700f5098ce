// SPDX-License-Identifier: MIT
// The presence of findings in reports, independent of their values. Detects findings that are
// missing from one node's report but present on most nodes of its group.
#pragma once

#include <string_view>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/compare/index_map.h"
#include "fleet/fleet.h"
#include "rocenv/words.h"

namespace rocenv {

// The state of a finding if only its presence is compared. `ok`: ok or changed. `not_ok`: any other
// outcome. `divided`:
// more than half of the nodes have the finding, but no state has a majority.
enum class Presence : std::uint8_t { absent, na, hidden, ok, waived, not_ok, divided };
// The words for a key without a finding in a report.
inline constexpr std::string_view not_in_report = "not in the report";
template <>
struct EnumWords<Presence> {
    static constexpr EnumWord<Presence> all[] = {
        {Presence::absent, not_in_report}, {Presence::na, "na"},
        {Presence::hidden, "hidden"},      {Presence::ok, "ok"},
        {Presence::waived, "waived"},      {Presence::not_ok, "in the report"},
        {Presence::divided, "divided"},
    };
};

// The states of some keys; a key that is not set is absent.
using Presences = IndexMap<Presence>;

// The keys of findings: each id, and each id with a target. Equal CPUs and policies are reported
// as one, so their targets are not keys.
class FindingKeys {
   public:
    // Keeps a reference to the findings, which are those of the pool.
    explicit FindingKeys(const std::vector<FleetFinding>& findings);

    // An id, or an id with a target.
    struct Key {
        std::string_view id;
        std::string_view target;  // null if the key is an id alone
        bool is_id = false;
        FleetIndex of_id = 0;         // for a key with a target: the key of its id alone
        bool is_own = false;          // its values belong to one node or process
        bool is_environment = false;  // is an environment variable
    };
    // Returns each key once, at its index.
    const std::vector<Key>& all() const { return keys_.rows(); }

    // Returns the states of a report by key. An id has the state of its worst finding, in the
    // order `not_ok`, waived, ok, hidden, na. A target has the state of its last finding.
    Presences in(const FleetReport& report) const;
    // Returns the state that more than half of the nodes covering a key have, or
    // divided. Other keys are absent: nothing is expected there.
    Presences majority(const std::vector<Weighted>& reports, const std::vector<FleetReport>& all,
                       const ComparableIds& coverage) const;

    // Returns the state of an id and target without a compared item: "ok", "waived", "na",
    // "hidden", "divided", "not ok". Without such a finding it is the state of the id's target
    // "system", or of the id if the target is numbered: "told elsewhere" if that is not ok, else
    // "not in the report" or its word. `id` and `target` are of the pool.
    std::string_view words(const Presences& here, std::string_view id,
                           std::string_view target) const;

   private:
    // Keys with the same id and target in the pool are equal.
    struct Traits {
        static std::uint64_t hash(const Key& key);
        static bool equal(const Key& a, const Key& b);
    };
    Presence at(const Presences& here, const Key& key) const;

    const std::vector<FleetFinding>& findings_;
    RowPool<Key, Traits> keys_;
    std::string_view system_;  // the target "system" of the pool; null: no finding has it
    std::vector<FleetIndex> id_of_;
    std::vector<FleetIndex> target_of_;
};

// Switch for targets whose values belong to one node.
enum class OwnTargets { left_out, compared };

// The findings of one side: sorted items that are not ok, and the states of all keys.
struct FindingSide {
    const std::vector<FleetIndex>& items;
    const Presences& states;
};

// Returns the differences between two sides, by id and target, then those of lacking() for ids that
// have no difference yet.
std::vector<FleetDifference> finding_differences(const FindingSide& here, const FindingSide& others,
                                                 const std::vector<FleetFinding>& items,
                                                 const FindingKeys& keys, OwnTargets own);

// Returns expected findings that are missing here, or that are na or hidden here and were judged
// there. Sorted by id and target ("system" for an id as a whole), all `unread`. Targets of an id
// count only if the id is ok here. Environment variables are left out, because only set variables
// are reported.
std::vector<FleetDifference> lacking(const Presences& here, const Presences& expected,
                                     const FindingKeys& keys, OwnTargets own);

}  // namespace rocenv
