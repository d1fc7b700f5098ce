// SPDX-License-Identifier: MIT
#include "fleet/compare/presence.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "fleet/compare/differences.h"

namespace rocenv {

namespace {

constexpr std::size_t presences = 7;

Presence presence_of(const FleetFinding& finding) {
    return finding.waived                        ? Presence::waived
           : finding.outcome == Outcome::na      ? Presence::na
           : finding.outcome == Outcome::hidden  ? Presence::hidden
           : is_quiet(finding.outcome)           ? Presence::ok
           : finding.outcome == Outcome::changed ? Presence::ok
                                                 : Presence::not_ok;
}

bool was_judged(Presence presence) {
    return presence >= Presence::ok;
}

// Number of nodes in each state of one key. Nodes without the key are not counted.
using PresentNodes = std::array<FleetIndex, presences>;

// Returns the state of one key that most nodes have; whether it is ok or not, most judged it.
Presence most_say(const PresentNodes& nodes_of, std::size_t nodes) {
    for (const auto presence :
         {Presence::ok, Presence::na, Presence::hidden, Presence::waived, Presence::not_ok}) {
        if (std::size_t{nodes_of[static_cast<std::size_t>(presence)]} * 2 > nodes) {
            return presence;
        }
    }
    const auto there = std::accumulate(nodes_of.begin(), nodes_of.end(), std::size_t{0});
    return there * 2 > nodes ? Presence::divided : Presence::absent;
}

bool is_lack(Presence here, Presence expected) {
    return expected != Presence::absent &&
           (here == Presence::absent || (was_judged(expected) && !was_judged(here)));
}

}  // namespace

std::uint64_t FindingKeys::Traits::hash(const Key& key) {
    return mixed(std::bit_cast<std::uintptr_t>(key.id.data()),
                 std::bit_cast<std::uintptr_t>(key.target.data()));
}

bool FindingKeys::Traits::equal(const Key& a, const Key& b) {
    return a.id.data() == b.id.data() && a.target.data() == b.target.data();
}

FindingKeys::FindingKeys(const std::vector<FleetFinding>& findings) : findings_(findings) {
    std::unordered_map<const char*, bool> own;
    for (const auto& finding : findings) {
        const auto [known, is_new] = own.try_emplace(finding.id.data(), false);
        if (is_new) {
            known->second = is_own(finding.id);
        }
        system_ = finding.target == "system" ? finding.target : system_;
        const bool is_environment = finding.id.starts_with("env.");
        const auto of_id = keys_.keep({finding.id, {}, true, 0, known->second, is_environment});
        id_of_.push_back(of_id);
        target_of_.push_back(is_numbered_target(finding.target)
                                 ? no_fact
                                 : keys_.keep({finding.id, finding.target, false, of_id,
                                               known->second, is_environment}));
    }
}

Presences FindingKeys::in(const FleetReport& report) const {
    Presences out;
    out.reserve(report.findings.size() * 2);  // an id and a target each
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

Presences FindingKeys::majority(const std::vector<Weighted>& reports,
                                const std::vector<FleetReport>& all,
                                const ComparableIds& coverage) const {
    IndexMap<PresentNodes> counts;
    for (const auto& each : reports) {
        const FleetReport& report = all[each.report];
        const Presences here = in(report);
        for (const auto& [key, presence] : here.all()) {
            if (coverage.covers(report, keys_.rows()[key].id)) {
                counts[key][static_cast<std::size_t>(presence)] +=
                    static_cast<FleetIndex>(each.nodes);
            }
        }
    }
    CoveringNodes covering(reports, all, coverage);
    Presences out;
    for (const auto& [key, nodes_of] : counts.all()) {
        const Presence most = most_say(nodes_of, covering.of(keys_.rows()[key].id));
        if (most != Presence::absent) {
            out[key] = most;
        }
    }
    return out;
}

Presence FindingKeys::at(const Presences& here, const Key& key) const {
    const auto found = keys_.find(key);
    return found ? here.at(*found) : Presence::absent;
}

std::string_view FindingKeys::words(const Presences& here, std::string_view id,
                                    std::string_view target) const {
    const Presence exact = at(here, {id, target});
    if (exact != Presence::absent) {
        return exact == Presence::not_ok ? "not ok" : word_of(exact);
    }
    // A setting without faults may report one finding for the system, or one for all CPUs.
    const bool of_system = !is_numbered_target(target);
    const Presence other = of_system && system_.data() == nullptr
                               ? Presence::absent
                               : at(here, {id, of_system ? system_ : std::string_view()});
    return other == Presence::not_ok ? "reported elsewhere" : word_of(other);
}

std::vector<FleetDifference> finding_differences(const FindingSide& here, const FindingSide& others,
                                                 const std::vector<FleetFinding>& items,
                                                 const FindingKeys& keys, OwnTargets own) {
    const auto words_of = [&keys](const FindingSide& side) {
        return [&keys, &side](std::string_view id, std::string_view target) {
            return keys.words(side.states, id, target);
        };
    };
    auto out =
        item_differences({here.items, words_of(here)}, {others.items, words_of(others)}, items);
    std::unordered_set<const char*> reported;  // ids
    for (const auto& each : out) {
        reported.insert(each.id.data());
    }
    for (auto& each : lacking(here.states, others.states, keys, own)) {
        if (!reported.contains(each.id.data())) {
            out.push_back(std::move(each));
        }
    }
    return out;
}

std::vector<FleetDifference> lacking(const Presences& here, const Presences& expected,
                                     const FindingKeys& keys, OwnTargets own) {
    std::vector<FleetDifference> out;
    for (const auto& [at, presence] : expected.all()) {
        const Presence found = here.at(at);
        if (!is_lack(found, presence)) {
            continue;
        }
        const auto& key = keys.all()[at];
        const bool is_left_out =
            key.is_environment || (key.is_own && !key.is_id && own == OwnTargets::left_out);
        // If the id as a whole is missing or listed, its targets add no information.
        const bool says_more = key.is_id || here.at(key.of_id) == Presence::ok;
        if (!is_left_out && says_more) {
            out.push_back({FleetSubject::finding, key.id,
                           std::string(key.is_id ? "system" : key.target),
                           std::string(word_of(found)), std::string(word_of(presence)), true});
        }
    }
    std::sort(out.begin(), out.end(), [](const FleetDifference& a, const FleetDifference& b) {
        return std::tie(a.id, a.target) < std::tie(b.id, b.target);
    });
    return out;
}

}  // namespace rocenv
