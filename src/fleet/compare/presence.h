// SPDX-License-Identifier: MIT
// Which findings a report has, whatever they say: what most nodes of a group were asked and one was
// not, nobody knows of that one.
#pragma once

#include <string_view>
#include <vector>

#include "fleet/compare/baseline.h"
#include "fleet/compare/index_map.h"
#include "fleet/fleet.h"
#include "rocenv/words.h"

namespace rocenv {

// The state of a finding if only that is compared. told: not ok; divided: most of many nodes have
// it, and no half of them has the same.
enum class Presence : std::uint8_t { absent, na, hidden, ok, waived, told, divided };
// The words for a place without a finding in a report.
inline constexpr std::string_view not_in_report = "not in the report";
template <>
struct EnumWords<Presence> {
    static constexpr EnumWord<Presence> all[] = {
        {Presence::absent, not_in_report}, {Presence::na, "na"},
        {Presence::hidden, "hidden"},      {Presence::ok, "ok"},
        {Presence::waived, "waived"},      {Presence::told, "in the report"},
        {Presence::divided, "divided"},
    };
};

// The states of some places; a place that is not set is absent.
using Presences = IndexMap<Presence>;

// Where findings stand: each id, and each id with a target. CPUs and policies are told as one where
// they are equal, so their targets are no places.
class FindingPlaces {
   public:
    explicit FindingPlaces(const std::vector<FleetFinding>& findings);

    struct Place {
        std::string_view id;
        std::string_view target;  // of a place that is an id alone: null
        bool is_id = false;
        FleetIndex of_id = 0;         // of one that is not: the place that is its id alone
        bool is_own = false;          // what is found is each node's or process' own
        bool is_environment = false;  // a variable
    };
    const std::vector<Place>& all() const { return places_.rows(); }

    // By place. An id is what the worst of its findings is: told, ok, hidden, na.
    Presences in(const FleetReport& report) const;
    // The same as most nodes have it that looked there; absent: nothing is expected there.
    Presences majority(const std::vector<Weighted>& reports, const std::vector<FleetReport>& all,
                       const ComparableIds& looked) const;

    // Returns the state of an id and target without a compared item: "ok", "waived", "na", "not in
    // the report". `id` and `target` are of the pool.
    std::string_view words(const Presences& here, std::string_view id,
                           std::string_view target) const;

   private:
    // Places with the same id and target in the pool are equal.
    struct Traits {
        static std::uint64_t hash(const Place& place);
        static bool equal(const Place& a, const Place& b);
    };
    Presence at(const Presences& here, const Place& place) const;

    const std::vector<FleetFinding>& findings_;
    RowPool<Place, Traits> places_;
    std::string_view system_;  // the target "system" of the pool; null: no finding has it
    std::vector<FleetIndex> id_of_;
    std::vector<FleetIndex> target_of_;
};

// Targets of what is each node's own.
enum class OwnTargets { left_out, compared };

// The findings of one side: what is not ok, sorted, and what is there at all.
struct FindingSide {
    const std::vector<FleetIndex>& items;
    const Presences& places;
};

// In what two sides differ, with what is lacking here.
std::vector<FleetDifference> finding_differences(const FindingSide& here, const FindingSide& others,
                                                 const std::vector<FleetFinding>& items,
                                                 const FindingPlaces& places, OwnTargets own);

// Returns expected findings that are missing here, or na or hidden here and ok there. Variables of
// the environment are left out: which of them are reported depends on which are set.
std::vector<FleetDifference> lacking(const Presences& here, const Presences& expected,
                                     const FindingPlaces& places, OwnTargets own);

}  // namespace rocenv
