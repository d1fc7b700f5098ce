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

// The number at the beginning of a text, like std::from_chars: digits with an optional minus sign,
// "1e3", "inf", "nan". There may be no blank and no plus sign before it; of "0x1f" only the 0 is
// read. `length` 0: no number.
struct ReadDecimal {
    double value = 0;
    std::size_t length = 0;
    bool out_of_range = false;  // too large or too close to 0 for a double; `value` is 0
};
// Reads the number at the beginning of a text.
ReadDecimal read_decimal(std::string_view text);

// Returns the nearest integer, halves away from 0; the value must be within its range. std::lround
// is a function of libm, which every start would have to load.
std::int64_t nearest_integer(double value);

}  // namespace rocenv
