// SPDX-License-Identifier: MIT
#include "fleet/print/told.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "util/text.h"

namespace rocenv {

namespace {

// The parts that are equal in splits which are printed as one.
std::string split_key(const FleetSplit& split) {
    std::string out(split.id);
    for (const auto& side : split.sides) {
        out += '\0' + side.value + '\0' + side.names;
    }
    return out;
}

}  // namespace

std::vector<ToldDifference> told(const std::vector<FleetDifference>& all) {
    std::set<std::tuple<std::string_view, std::string_view>> of_findings;
    for (const auto& each : all) {
        if (each.of == FleetSubject::finding) {
            of_findings.insert({each.id, each.target});
        }
    }
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> known;
    std::vector<ToldDifference> out;
    for (const auto& each : all) {
        const bool is_finding = each.of == FleetSubject::finding;
        if (!is_finding && of_findings.contains({each.id, each.target})) {
            continue;  // the finding says it already
        }
        const auto [place, is_new] =
            known.try_emplace({each.id, each.here, each.others}, out.size());
        if (is_new) {
            out.push_back({&each, {}});
        }
        out[place->second].targets.push_back(each.target);
    }
    return out;
}

std::vector<ToldSplit> told(const std::vector<FleetSplit>& all) {
    std::map<std::string, std::size_t> known;
    std::vector<ToldSplit> out;
    for (const auto& each : all) {
        const auto [place, is_new] = known.try_emplace(split_key(each), out.size());
        if (is_new) {
            out.push_back({&each, {}});
        }
        out[place->second].targets.push_back(each.target);
    }
    return out;
}

bool has_versions(const FleetResult& fleet) {
    return std::any_of(fleet.groups.begin(), fleet.groups.end(), [&](const FleetGroup& group) {
        return group.version != fleet.groups.front().version;
    });
}

std::string targets_text(const std::vector<std::string>& targets) {
    if (targets.size() == 1) {
        return targets.front() == "system" ? "" : " " + targets.front();
    }
    return " " + targets.front() + " and " + number(targets.size() - 1) + " more";
}

}  // namespace rocenv
