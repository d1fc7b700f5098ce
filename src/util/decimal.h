// SPDX-License-Identifier: MIT
// Numbers with a point, for the few that are printed or read. std::to_chars and std::from_chars for
// double would do the same; they bring tables of 100 KiB along, and libc++ lacks the second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rocenv {

// Returns the number with at most `digits` (1 to 17) that count, as %g: "0.0123", "1.5e+09".
std::string decimal(double value, int digits);

// Returns the shortest text that reads back as the same number, without an exponent where that is
// no longer; "inf" and "nan" as they are.
std::string shortest_decimal(double value);

// What std::from_chars reads at the beginning of a text: digits, "1e3", "inf", "nan"; no blank, no
// plus sign, no "0x". `length` 0: no number.
struct ReadDecimal {
    double value = 0;
    std::size_t length = 0;
    bool out_of_range = false;  // no double is so large, or so close to 0
};
ReadDecimal read_decimal(std::string_view text);

// Returns the nearest integer of a number within the range of one, halves away from 0. std::lround
// is a function of libm, which every start would have to load.
std::int64_t nearest_integer(double value);

}  // namespace rocenv
