// SPDX-License-Identifier: MIT
#include "fleet/print/told.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "print/layout.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_name_lines = 3;  // of a folded list of nodes

// What is equal where two places are told as one.
std::string split_key(const FleetSplit& split) {
    std::string out(split.id);
    for (const auto& side : split.sides) {
        out += '\0' + side.value + '\0' + side.names;
    }
    return out;
}

}  // namespace

std::string name_lines(std::string_view first, std::size_t indent, const std::string& names,
                       bool all) {
    const auto blanks = std::min(first.find_first_not_of(' '), first.size());
    std::string out = wrapped(first.substr(0, blanks), indent, first.substr(blanks));
    out.back() = ' ';
    std::size_t column = out.size() - (out.rfind('\n') + 1);  // npos + 1 is 0
    std::size_t lines = 1;
    const std::string shown = printable(names, uncut);
    for (std::size_t at = 0; at < shown.size();) {
        const auto comma = std::min(shown.find(',', at), shown.size() - 1);
        const auto part = std::string_view(shown).substr(at, comma + 1 - at);
        if (column + part.size() > terminal_width - 3 && column > indent) {
            if (!all && lines == most_name_lines) {
                const auto left =
                    std::count(shown.begin() + static_cast<std::ptrdiff_t>(at), shown.end(), ',') +
                    1;
                return out + "and " + number(left) + " more (-v)\n";
            }
            out.resize(out.find_last_not_of(' ') + 1);
            out += "\n" + std::string(indent, ' ');
            column = indent;
            ++lines;
        }
        out += part;
        column += part.size();
        at = comma + 1;
    }
    return out + "\n";
}

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
