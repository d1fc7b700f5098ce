// SPDX-License-Identifier: MIT
// Every key that a profile, a site's file or a file of waivers may have, and what it means: the
// readers of these files know no others, and the manual tells these.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// Where a key stands.
enum class KeyOf { file, profile, match, entry, when, waiver };

struct ProfileKey {
    KeyOf of;
    std::string_view name;
    std::string_view means;  // one sentence
};

// In the order in which a person would write them.
std::span<const ProfileKey> profile_keys();

// The names of one place, in that order.
std::vector<std::string> keys_of(KeyOf place);

}  // namespace rocenv
