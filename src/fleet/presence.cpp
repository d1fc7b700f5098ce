// SPDX-License-Identifier: MIT
#include "fleet/presence.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "fleet/differences.h"

namespace rocenv {

namespace {

constexpr std::size_t presences = 7;

Presence presence_of(const FleetFinding& finding) {
    return finding.waived                        ? Presence::waived
           : finding.outcome == Outcome::na      ? Presence::na
           : finding.outcome == Outcome::hidden  ? Presence::hidden
           : is_quiet(finding.outcome)           ? Presence::ok
           : finding.outcome == Outcome::changed ? Presence::ok
                                                 : Presence::told;
}

bool was_judged(Presence presence) {
    return presence >= Presence::ok;
}

// What most nodes have in one place; whether it is ok or not, most judged it.
Presence most_say(const std::array<std::size_t, presences>& nodes_of, std::size_t nodes) {
    for (const auto presence :
         {Presence::ok, Presence::na, Presence::hidden, Presence::waived, Presence::told}) {
        if (nodes_of[static_cast<std::size_t>(presence)] * 2 > nodes) {
            return presence;
        }
    }
    const std::size_t there = nodes - nodes_of[static_cast<std::size_t>(Presence::absent)];
    return there * 2 > nodes ? Presence::divided : Presence::absent;
}

bool is_lack(Presence here, Presence expected) {
    return expected != Presence::absent &&
           (here == Presence::absent || (was_judged(expected) && !was_judged(here)));
}

std::string_view presence_words(Presence presence) {
    switch (presence) {
        case Presence::absent:
            return "not in the report";
        case Presence::na:
            return "na";
        case Presence::hidden:
            return "hidden";
        case Presence::ok:
            return "ok";
        case Presence::waived:
            return "waived";
        case Presence::told:
            return "in the report";
        case Presence::divided:
            return "divided";
    }
    return "";
}

// What a place that is an id alone has for a target.
constexpr std::string_view id_alone = "\n";

}  // namespace

FindingPlaces::FindingPlaces(const std::vector<FleetFinding>& findings) : findings_(findings) {
    std::map<std::string_view, bool> own;
    for (const auto& finding : findings) {
        const auto [known, is_new] = own.try_emplace(finding.id, false);
        if (is_new) {
            known->second = is_own(finding.id);
        }
        const bool is_environment = finding.id.starts_with("env.");
        const auto of_id = add({finding.id, id_alone, true, 0, known->second, is_environment});
        places_[of_id].of_id = of_id;
        id_of_.push_back(of_id);
        target_of_.push_back(
            is_numbered_target(finding.target)
                ? no_fact
                : add({finding.id, finding.target, false, of_id, known->second, is_environment}));
    }
}

FleetIndex FindingPlaces::add(const Place& place) {
    const auto [known, is_new] =
        by_name_.try_emplace({place.id, place.target}, static_cast<FleetIndex>(places_.size()));
    if (is_new) {
        places_.push_back(place);
    }
    return known->second;
}

std::vector<Presence> FindingPlaces::in(const FleetReport& report) const {
    std::vector<Presence> out(places_.size(), Presence::absent);
    for (const auto finding : report.findings) {
        const Presence presence = presence_of(findings_[finding]);
        Presence& of_id = out[id_of_[finding]];
        of_id = std::max(of_id, presence);
        if (target_of_[finding] != no_fact) {
            out[target_of_[finding]] = presence;
        }
    }
    return out;
}

std::vector<Presence> FindingPlaces::majority(const std::vector<Weighted>& reports,
                                              const std::vector<FleetReport>& all,
                                              const ComparableIds& looked) const {
    std::vector<std::array<std::size_t, presences>> counts(places_.size());
    std::vector<std::size_t> nodes(places_.size());
    for (const auto& each : reports) {
        const auto here = in(all[each.report]);
        for (std::size_t place = 0; place < here.size(); ++place) {
            const auto weight = looked.takes(all[each.report], places_[place].id) ? each.nodes : 0;
            counts[place][static_cast<std::size_t>(here[place])] += weight;
            nodes[place] += weight;
        }
    }
    std::vector<Presence> out;
    out.reserve(counts.size());
    for (std::size_t place = 0; place < counts.size(); ++place) {
        out.push_back(nodes[place] == 0 ? Presence::absent : most_say(counts[place], nodes[place]));
    }
    return out;
}

Presence FindingPlaces::at(const std::vector<Presence>& here, std::string_view id,
                           std::string_view target) const {
    const auto found = by_name_.find({id, target});
    return found == by_name_.end() ? Presence::absent : here[found->second];
}

std::string_view FindingPlaces::words(const std::vector<Presence>& here, std::string_view id,
                                      std::string_view target) const {
    const Presence exact = at(here, id, target);
    if (exact != Presence::absent) {
        return exact == Presence::told ? "not ok" : presence_words(exact);
    }
    // A setting that finds nothing wrong may say so of the system, or of all CPUs as one.
    const Presence other = at(here, id, is_numbered_target(target) ? id_alone : "system");
    return other == Presence::told ? "told elsewhere" : presence_words(other);
}

std::vector<FleetDifference> finding_differences(const FindingSide& here, const FindingSide& others,
                                                 const std::vector<FleetFinding>& items,
                                                 const FindingPlaces& places, OwnTargets own) {
    const auto words_of = [&places](const FindingSide& side) {
        return [&places, &side](std::string_view id, std::string_view target) {
            return places.words(side.places, id, target);
        };
    };
    auto out =
        item_differences({here.items, words_of(here)}, {others.items, words_of(others)}, items);
    std::set<std::string_view> told;
    for (const auto& each : out) {
        told.insert(each.id);
    }
    for (auto& each : lacking(here.places, others.places, places, own)) {
        if (!told.contains(each.id)) {
            out.push_back(std::move(each));
        }
    }
    return out;
}

std::vector<FleetDifference> lacking(const std::vector<Presence>& here,
                                     const std::vector<Presence>& expected,
                                     const FindingPlaces& places, OwnTargets own) {
    std::vector<FleetDifference> out;
    for (std::size_t at = 0; at < here.size(); ++at) {
        if (!is_lack(here[at], expected[at])) {
            continue;
        }
        const auto& place = places.all()[at];
        const bool is_left_out =
            place.is_environment || (place.is_own && !place.is_id && own == OwnTargets::left_out);
        // Where the id is lacking as a whole, or something of it is told, its targets say no more.
        const bool says_more = place.is_id || here[place.of_id] == Presence::ok;
        if (!is_left_out && says_more) {
            out.push_back({FleetDifference::Of::finding, place.id,
                           std::string(place.is_id ? "system" : place.target),
                           std::string(presence_words(here[at])),
                           std::string(presence_words(expected[at])), true});
        }
    }
    std::sort(out.begin(), out.end(), [](const FleetDifference& a, const FleetDifference& b) {
        return std::tie(a.id, a.target) < std::tie(b.id, b.target);
    });
    return out;
}

}  // namespace rocenv
