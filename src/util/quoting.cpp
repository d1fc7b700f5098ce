// SPDX-License-Identifier: MIT
#include "util/quoting.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

// Takes what follows a backslash off the front of `text`.
std::optional<char> take_escape(std::string_view& text, std::string_view letters) {
    constexpr std::size_t hex_size = 3;
    if (text.starts_with('x')) {
        const auto byte =
            text.size() < hex_size ? std::nullopt : parse_number(text.substr(1, 2), 16);
        text.remove_prefix(byte ? hex_size : 0);
        return byte ? std::optional(static_cast<char>(*byte)) : std::nullopt;
    }
    if (text.empty() || letters.find(text.front()) == std::string_view::npos) {
        return std::nullopt;
    }
    const char letter = text.front();
    text.remove_prefix(1);
    return letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
}

}  // namespace

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

std::string escaped_byte(char byte) {
    return "\\x" + bare_hex(static_cast<unsigned char>(byte), 2);
}

std::optional<std::string> unescaped(std::string_view text, std::string_view letters) {
    std::string out;
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find('\\'), text.size());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (!text.empty()) {
            text.remove_prefix(1);
            const auto byte = take_escape(text, letters);
            if (!byte) {
                return std::nullopt;
            }
            out += *byte;
        }
    }
    return out;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace rocenv
