// SPDX-License-Identifier: MIT
// profiles/*.toml, compiled in (scripts/cmake/profiles.cmake), sorted by name.
#pragma once

#include <span>
#include <string_view>

namespace rocenv {

struct BuiltinProfile {
    std::string_view name;
    std::string_view text;
};
extern const std::span<const BuiltinProfile> builtin_profiles;

}  // namespace rocenv
