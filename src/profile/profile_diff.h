// SPDX-License-Identifier: MIT
// rocenv profile diff: two profiles as they resolve here, side by side. Compared are values and
// levels; reasons, sources and [match] are not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "print/style.h"
#include "profile/profile.h"

namespace rocenv {

struct ProfileDiff {
    struct Pair {
        Want a;
        Want b;
    };
    std::string a;  // names, as asked for
    std::string b;
    std::vector<Want> only_a;  // all in the order of the registry
    std::vector<Want> only_b;
    std::vector<Pair> differ;
    std::size_t alike = 0;

    bool equal() const { return only_a.empty() && only_b.empty() && differ.empty(); }
};

// Returns what only one of them wants, and what both want differently, in the order of the
// registry.
ProfileDiff diff_profiles(const Resolved& a, const Resolved& b);

// "unset", or the value as TOML writes it; of a variable that is a secret only that it is one.
std::string want_text(const Want& want);

// For people: old -> new.
std::string render_profile_diff_human(const ProfileDiff& diff, Detail detail, Screen screen);

// rocenv.profile-diff/1, and its JSON Schema.
std::string render_profile_diff_json(const ProfileDiff& diff);
std::string profile_diff_schema();

}  // namespace rocenv
