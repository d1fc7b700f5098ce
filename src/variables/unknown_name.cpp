// SPDX-License-Identifier: MIT
#include "variables/unknown_name.h"

#include <algorithm>

#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

namespace {

// Two neighbours in each other's place: one slip.
bool is_swap(std::string_view left, std::string_view right) {
    const auto [l, r] = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
    return left.size() == right.size() && left.end() - l >= 2 && *l == *(r + 1) && *(l + 1) == *r &&
           std::equal(l + 2, left.end(), r + 2);
}

// A slip is near, and as likely as not to have the first letter right; looking at all names would
// cost more than the rest of a check.
std::optional<std::string> near_name(std::string_view name) {
    constexpr std::size_t shortest = 8;
    constexpr std::size_t short_name = 12;  // up to here one slip, from here two
    if (name.size() < shortest) {
        return std::nullopt;
    }
    std::size_t reach = name.size() < short_name ? 1 : 2;
    std::optional<std::string> best;
    for (const auto known : catalogued_names(name.front())) {
        const auto distance = known.size() < shortest ? std::nullopt
                              : is_swap(name, known)  ? std::optional<std::size_t>(1)
                                                      : edits_between(name, known, reach);
        if (distance && (!best || *distance < reach)) {
            best = known;
            reach = *distance;
        }
    }
    return best;
}

// The release here, where all names of the family that it reads are listed.
std::optional<std::string> whole_list_of(const VariableFamily& family, const Readers& readers) {
    const auto list = family.closed ? looked_at(family.looked_at) : std::nullopt;
    const auto version = list ? readers.version_of_package(list->package) : std::nullopt;
    const bool listed =
        version && std::any_of(list->releases.begin(), list->releases.end(), [&](const auto& each) {
            return each.branch.empty() && compare_releases(each.version, *version) == 0;
        });
    return listed ? std::optional(std::string(list->package) + " " + printable(*version))
                  : std::nullopt;
}

}  // namespace

// The stem of a family's prefix is a variable where there are numbered names. libhsakmt reads them
// since 2024-07 (ROCm/ROCT-Thunk-Interface cf49353, not in rocm-6.2.4).
std::optional<Variable> numbered_variable(std::string_view name) {
    constexpr std::string_view since = "6.3~";
    const auto end = name.find_last_not_of("0123456789");
    if (end == std::string_view::npos || end + 1 == name.size() || name[end] != '_') {
        return std::nullopt;
    }
    const auto family = family_of(name);
    auto variable = family && family->prefix == name.substr(0, end + 1)
                        ? find_variable(name.substr(0, end))
                        : std::nullopt;
    if (variable) {
        variable->name = name;
        variable->since = since;
        variable->read_by.front().since = since;
    }
    return variable;
}

std::optional<std::string> unknown_name(const std::string& name, const Readers* readers) {
    if (name.empty()) {
        return std::nullopt;
    }
    const auto family = family_of(name);
    if (numbered_variable(name)) {
        return std::nullopt;
    }
    const std::string unlisted =
        "not in this catalogue (facts of " + std::string(facts_date()) + ")";
    if (const auto near = near_name(name)) {
        return unlisted + did_you_mean(near);
    }
    if (!family) {
        return std::nullopt;
    }
    const auto release = readers == nullptr ? std::nullopt : whole_list_of(*family, *readers);
    return release
               ? std::string(family->reader) + " of " + *release + " has no variable of this name"
               : unlisted;
}

}  // namespace rocenv
