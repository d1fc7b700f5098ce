// SPDX-License-Identifier: MIT
// The patterns of rocenv/written_place.h, which defines their meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocenv {

// Returns true if the pattern, without |, matches the whole text. The line end that a text for a
// file may have is not removed.
bool matches_pattern(std::string_view pattern, std::string_view text);

// Returns true if a network interface may have this name (linux net/core/dev.c dev_valid_name,
// 6.12) and the name is plain text. "all" and "default" are rejected, since they affect other
// interfaces under /proc/sys/net.
bool is_interface_name(std::string_view name);

// A range with both ends included.
struct NumberRange {
    std::uint64_t lowest = 0;
    std::uint64_t highest = 0;

    // Returns whether the value is in the range.
    bool holds(std::uint64_t value) const { return value >= lowest && value <= highest; }
};

// Returns the range of a pattern that is one "<A-B>"; std::nullopt for other patterns.
std::optional<NumberRange> range_of(std::string_view pattern);

}  // namespace rocenv
