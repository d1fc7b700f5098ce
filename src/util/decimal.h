// SPDX-License-Identifier: MIT
// Decimal numbers for the few that are printed or read. std::to_chars and std::from_chars for
// double add tables of 100 KiB, and libc++ lacks the second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rocenv {

// Returns the number with at most `digits` (1 to 17) significant digits, as %g: "0.0123",
// "1.5e+09".
std::string decimal(double value, int digits);

// Returns the shortest text that reads back as the same number, without an exponent if that is not
// longer; "inf" and "nan" unchanged.
std::string shortest_decimal(double value);

// The number at the beginning of a text, like std::from_chars: digits, "1e3", "inf", "nan"; no
// blank, no plus sign, no "0x". `length` 0: no number.
struct ReadDecimal {
    double value = 0;
    std::size_t length = 0;
    bool out_of_range = false;  // too large or too close to 0 for a double
};
// Reads the number at the beginning of a text.
ReadDecimal read_decimal(std::string_view text);

// Returns the nearest integer, halves away from 0; the value must be within its range. std::lround
// is a function of libm, which every start would have to load.
std::int64_t nearest_integer(double value);

}  // namespace rocenv
