// SPDX-License-Identifier: MIT
// profiles/*.toml, read when the program is built (scripts/cmake/make_profiles.cpp), sorted by
// name.
#pragma once

#include <span>
#include <string_view>

namespace rocenv {

struct BuiltinProfile {
    std::string_view name;
    std::string_view image;  // profile_image.h
};
extern const std::span<const BuiltinProfile> builtin_profiles;

}  // namespace rocenv
