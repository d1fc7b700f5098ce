// SPDX-License-Identifier: MIT
// A profile that was read when the program was built: a shipped one needs no TOML at run time. An
// image is text of our own making (scripts/cmake/make_profiles.cpp), so it is trusted.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace rocenv {

// Of a profile without diagnostics. Places keep line and column; their file is the profile's.
std::string image_of(const ProfileText& profile);

// For which machines one is, without reading the rest.
Match match_in(std::string_view image);

// Which entries are wanted: a program start needs variables only, a list of profiles needs none.
enum class Entries { all, variables, none };

// Back again; `file` is what messages name.
ProfileText profile_in(std::string_view image, const std::string& file, Entries entries);
// With the entry of one id at most: the others are passed over without being read.
ProfileText profile_in(std::string_view image, const std::string& file, std::string_view id);

// profiles/*.toml, read when the program is built (scripts/cmake/make_profiles.cpp), sorted by
// name.

struct BuiltinProfile {
    std::string_view name;
    std::string_view image;  // profile_image.h
};
extern const std::span<const BuiltinProfile> builtin_profiles;

}  // namespace rocenv
