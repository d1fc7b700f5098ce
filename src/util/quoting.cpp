// SPDX-License-Identifier: MIT
#include "util/quoting.h"

namespace rocenv {

std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char byte : text) {
        out += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
    }
    return out + "'";
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@+%";
    const bool is_plain = !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
    return is_plain ? std::string(text) : shell_quoted(text);
}

}  // namespace rocenv
