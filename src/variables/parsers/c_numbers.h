// SPDX-License-Identifier: MIT
// Integers as the C library reads them (strtol and its kin, C locale): blanks, a sign, then as many
// digits as there are; what follows is left. glibc's answers where the standard leaves a choice.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocenv {

struct CInteger {
    bool any = false;       // there was a digit
    bool negative = false;  // a minus sign stood before it
    bool beyond = false;    // more than 64 bits: magnitude is the largest
    bool binary = false;    // "0b" and a digit, with base 0: a number since C23, before it 0
    std::uint64_t magnitude = 0;
};

// Base 10, or 0: "0x" is hexadecimal, "0" octal.
CInteger scan_integer(std::string_view text, int base);

// strtoll and strtoull: cut off at their limits, a negative unsigned number wraps around.
std::int64_t as_signed(const CInteger& number);
std::uint64_t as_unsigned(const CInteger& number);
bool fits_signed(const CInteger& number);

// Length of what scan_integer took with base 10, and whether there was a digit.
struct CSpan {
    bool any = false;
    std::size_t length = 0;
};
CSpan decimal_span(std::string_view text);

// std::stod: nullopt where that throws. Hexadecimal numbers are not taken: 0, as their first digit.
std::optional<double> c_stod(std::string_view text);

// (int)strtol(text): keeps the low 32 bits, so a number cut off at the top is -1.
std::int32_t c_atoi(std::string_view text);

}  // namespace rocenv
