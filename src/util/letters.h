// SPDX-License-Identifier: MIT
// Kinds of bytes, for any byte. Of the program's own locale, which is "C": ASCII alone.
#pragma once

#include <cctype>

namespace rocenv {

inline bool is_letter_or_digit(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

inline bool is_hex_digit(char byte) {
    return std::isxdigit(static_cast<unsigned char>(byte)) != 0;
}

}  // namespace rocenv
