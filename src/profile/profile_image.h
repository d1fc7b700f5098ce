// SPDX-License-Identifier: MIT
// Images of profiles, made when the program is built, so that a shipped profile needs no TOML at
// run time. An image is generated text (scripts/cmake/make_profiles.cpp), so it is trusted.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace rocenv {

// Returns the image of a profile without diagnostics. Locations keep line and column; their file is
// that of the profile.
std::string image_of(const ProfileText& profile);

// Returns the [match] of a profile without reading the rest.
Match match_in(std::string_view image);

// Entries to read: the start of a program needs variables only, a list of profiles needs none.
enum class Entries { all, variables, none };

// Returns the profile in an image. `file` is its name in messages. The image must be one that
// image_of() made: it is not checked.
ProfileText profile_in(std::string_view image, const std::string& file, Entries entries);
// Returns the profile with at most the entry of one id, such as "env.NAME". Other entries are
// skipped unread.
ProfileText profile_in(std::string_view image, const std::string& file, std::string_view id);

// The profiles in profiles/*.toml, sorted by name, read when the program is built
// (scripts/cmake/make_profiles.cpp).

// A shipped profile.
struct BuiltinProfile {
    std::string_view name;
    std::string_view image;  // profile_image.h
};
extern const std::span<const BuiltinProfile> builtin_profiles;

}  // namespace rocenv
