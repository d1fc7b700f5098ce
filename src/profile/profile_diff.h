// SPDX-License-Identifier: MIT
// rocenv profile diff: two profiles, resolved for this node. Values, levels and must_exist are
// compared; reasons, sources and [match] are not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "print/style.h"
#include "profile/profile.h"

namespace rocenv {

// The differences of two profiles.
struct ProfileDiff {
    // Two different values of one id.
    struct Pair {
        Expectation a;
        Expectation b;
    };
    std::string a;  // given names, joined by " + "
    std::string b;
    std::vector<Expectation> only_a;  // in the order of the registry
    std::vector<Expectation> only_b;
    std::vector<Pair> differ;
    std::size_t alike = 0;  // number of equal entries

    // Returns whether the profiles expect the same values.
    bool equal() const { return only_a.empty() && only_b.empty() && differ.empty(); }
};

// Returns the values that only one of the profiles expects, and those that differ, in the order of
// the registry.
ProfileDiff diff_profiles(const Resolved& a, const Resolved& b);

// Returns "unset", or the value in TOML. The value of a secret variable is "a secret, not shown",
// and credentials in other variables are replaced.
std::string expected_text(const Expectation& expectation);

// Returns the differences for people: a line with the counts, then one for each property that
// differs, old -> new, and for each entry that only one profile has. Empty with Detail::quiet.
std::string render_profile_diff_human(const ProfileDiff& diff, Detail detail, Screen screen);

// Returns rocenv.profile-diff/1.
std::string render_profile_diff_json(const ProfileDiff& diff);
// Returns the JSON Schema of rocenv.profile-diff/1.
std::string profile_diff_schema();

}  // namespace rocenv
