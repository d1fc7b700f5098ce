// SPDX-License-Identifier: MIT
// Expected versions and counts of form at_least, and the expected counts of a learned profile.
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

// The meaning of at_least: ">=6.3" accepts 6.3 or more, "6.3" accepts a version that starts with
// it.

// An expected version or count.
struct VersionRequirement {
    std::string text;  // text for findings
    std::string version;
    bool minimum = false;

    // Returns true if the version is equal or continues after '.' or '-' ("6.2.0" for "6.2"); with
    // ">=", if it is a version that is not lower.
    bool accepts(std::string_view found) const;
    // Returns true if the count is equal or, with ">=", at least as high.
    bool accepts_count(std::uint64_t count) const;
};

// Returns the version or count of a profile's value, which is a whole number or a text.
VersionRequirement version_requirement(const Value& value);

// Returns the version that is the whole content of a file, without blanks around it. Fails with
// `garbled` if it is not a version or longer than `longest` bytes, else with the errors of read().
// The error calls it `what`: "release".
Result<std::string> version_of_file(const Fs& fs, const std::string& path, const std::string& what,
                                    std::size_t longest = std::string::npos);

// Judges a version. The row is of target "system", ok or differs.
Assessment judged_version(const VersionRequirement& requirement, const std::string& found);

// The expected value of a count in a learned profile.

// Returns the present number if "consistent" passes; else "consistent", because a number would hide
// a lost device. The list always has one value.
std::optional<std::vector<Value>> learn_count(const Setting& setting, const Context& context);

}  // namespace rocenv
