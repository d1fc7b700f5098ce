// SPDX-License-Identifier: MIT
// What a wish of form at_least says of versions and counts, and what a learned profile wants of
// counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/setting.h"
#include "rocenv/value.h"

namespace rocenv {

// What a wish of form at_least says: ">=6.3" and 6.3 or more, "6.3" a version that starts with it.

struct VersionWish {
    std::string text;  // as a finding shows it
    std::string version;
    bool minimum = false;

    bool accepts(std::string_view found) const;
    // Of a count: that number, or at least that many.
    bool accepts_count(std::uint64_t count) const;
};

VersionWish version_wish(const Value& value);

// Returns the version that is all of a file; garbled where it is none, or is longer than `longest`.
// The error's text calls it `what`: "release".
Result<std::string> version_of_file(const Fs& fs, const std::string& path, const std::string& what,
                                    std::size_t longest = std::string::npos);

// Judges a version that was found.
Assessment judged_version(const VersionWish& wish, const std::string& found);

// What a learned profile wants of a setting that counts devices.

// Returns the number that is there, where "consistent" finds nothing wrong; else "consistent",
// since a number would hide that a device is lost.
std::optional<std::vector<Value>> learn_count(const Setting& setting, const Context& context);

}  // namespace rocenv
