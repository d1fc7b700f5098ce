// SPDX-License-Identifier: MIT
// Which findings a report has, whatever they say: what most nodes of a group were asked and one was
// not, nobody knows of that one.
#pragma once

#include <map>
#include <vector>

#include "fleet/baseline.h"
#include "fleet/fleet.h"

namespace rocenv {

// What a finding is where only that counts. told: not ok; divided: most of many nodes have it, and
// it is the same for no half of them.
enum class Presence : std::uint8_t { absent, na, hidden, ok, waived, told, divided };

// Where findings stand: each id, and each id with a target. CPUs and policies are told as one where
// they are equal, so their targets are no places.
class FindingPlaces {
   public:
    explicit FindingPlaces(const std::vector<FleetFinding>& findings);

    struct Place {
        std::string_view id;
        std::string_view target;  // of a place that is an id alone: empty
        bool is_id = false;
        FleetIndex of_id = 0;         // the place that is its id alone
        bool is_own = false;          // what is found is each node's or process' own
        bool is_environment = false;  // a variable
    };
    const std::vector<Place>& all() const { return places_; }

    // By place. An id is what the worst of its findings is: told, ok, hidden, na.
    std::vector<Presence> in(const FleetReport& report) const;
    // The same as most nodes have it that looked there; absent: nothing is expected there.
    std::vector<Presence> majority(const std::vector<Weighted>& reports,
                                   const std::vector<FleetReport>& all,
                                   const ComparableIds& looked) const;

    // What is there of an id and target of which no item is among those compared: "ok", "waived",
    // "na", "not in the report".
    std::string_view words(const std::vector<Presence>& here, std::string_view id,
                           std::string_view target) const;

   private:
    FleetIndex add(const Place& place);
    Presence at(const std::vector<Presence>& here, std::string_view id,
                std::string_view target) const;

    const std::vector<FleetFinding>& findings_;
    std::vector<Place> places_;
    std::map<std::pair<std::string_view, std::string_view>, FleetIndex> by_name_;
    std::vector<FleetIndex> id_of_;
    std::vector<FleetIndex> target_of_;
};

// Targets of what is each node's own.
enum class OwnTargets { left_out, compared };

// The findings of one side: what is not ok, sorted, and what is there at all.
struct FindingSide {
    const std::vector<FleetIndex>& items;
    const std::vector<Presence>& places;
};

// In what two sides differ, with what is lacking here.
std::vector<FleetDifference> finding_differences(const FindingSide& here, const FindingSide& others,
                                                 const std::vector<FleetFinding>& items,
                                                 const FindingPlaces& places, OwnTargets own);

// What is expected and not here, or na or hidden here and ok there. Variables of the environment
// are left out: which are told depends on which are set.
std::vector<FleetDifference> lacking(const std::vector<Presence>& here,
                                     const std::vector<Presence>& expected,
                                     const FindingPlaces& places, OwnTargets own);

}  // namespace rocenv
