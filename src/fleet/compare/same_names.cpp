// SPDX-License-Identifier: MIT
#include "fleet/compare/same_names.h"

#include <algorithm>

#include "fleet/read/hostlist.h"
#include "fleet/read/report_time.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t shortest_reboot = 60;  // seconds

bool are_several(const std::map<std::string_view, Sweep::Boot>& boots) {
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (const auto& [boot_id, boot] : boots) {
        if (!boot_id.empty()) {
            spans.emplace_back(seconds_of_time(boot.first).value_or(0),
                               seconds_of_time(boot.last).value_or(0));
        }
    }
    std::sort(spans.begin(), spans.end());
    return std::adjacent_find(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
               return b.first < a.second + shortest_reboot;
           }) != spans.end();
}

// The host's own name in small letters; an address as it is.
std::string bare_name(std::string_view name) {
    const bool is_address = name.find_first_not_of("0123456789.:") == name.npos;
    return lower_case(is_address ? name : name.substr(0, name.find('.')));
}

}  // namespace

void warn_of_names(const Sweep& sweep, FleetResult& out) {
    std::vector<std::string_view> several;
    std::map<std::string, std::vector<std::string_view>> alike;
    for (const auto& node : out.nodes) {
        const auto boots = sweep.boots.find(node.name);
        if (boots != sweep.boots.end() && are_several(boots->second)) {
            several.push_back(node.name);
        }
        alike[bare_name(node.name)].push_back(node.name);
    }
    if (!several.empty()) {
        out.uncounted = true;
        out.warnings.push_back(
            "several machines report as one node (their boot ids alternate); only one of them "
            "counts: " +
            folded_names(several));
    }
    std::vector<std::string_view> twice;
    for (const auto& [bare, names] : alike) {
        if (names.size() > 1) {
            twice.insert(twice.end(), names.begin(), names.end());
        }
    }
    if (!twice.empty()) {
        out.warnings.push_back("names that differ in case or domain only are nodes of their own: " +
                               folded_names(twice));
    }
}

}  // namespace rocenv
