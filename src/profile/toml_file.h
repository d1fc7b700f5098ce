// SPDX-License-Identifier: MIT
// TOML as plain values, for files that are no profiles, with the limits of a profile's file. Made
// in profile_file.cpp, which alone knows toml++.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "profile/profile.h"

namespace rocenv {

struct TomlFile {
    ValueTable values;  // a date is a list with its text, as in a profile
    std::optional<Diagnostic> fault;
};
TomlFile read_toml(const std::string& file, std::string_view text);

}  // namespace rocenv
