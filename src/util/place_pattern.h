// SPDX-License-Identifier: MIT
// The patterns of rocenv/written_place.h, which says what each stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocenv {

// Whether the pattern, which is no list of several with |, stands for the whole text.
bool matches_pattern(std::string_view pattern, std::string_view text);

// Whether a network interface may have this name (linux net/core/dev.c dev_valid_name, 6.12), and
// it is plain text; "all" and "default" are none, since they mean others under /proc/sys/net.
bool is_interface_name(std::string_view name);

// Both ends included.
struct NumberRange {
    std::uint64_t lowest = 0;
    std::uint64_t highest = 0;

    bool holds(std::uint64_t value) const { return value >= lowest && value <= highest; }
};

// Of a pattern that is "<A-B>" and nothing else.
std::optional<NumberRange> range_of(std::string_view pattern);

}  // namespace rocenv
