// SPDX-License-Identifier: MIT
// The patterns of rocenv/written_place.h, which says what each stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocenv {

// Whether the pattern, which is no list of several with |, stands for the whole text.
bool matches_pattern(std::string_view pattern, std::string_view text);

// Both ends included.
struct NumberRange {
    std::uint64_t lowest = 0;
    std::uint64_t highest = 0;

    bool holds(std::uint64_t value) const { return value >= lowest && value <= highest; }
};

// Of a pattern that is "<A-B>" and nothing else.
std::optional<NumberRange> range_of(std::string_view pattern);

}  // namespace rocenv
