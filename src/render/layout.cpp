// SPDX-License-Identifier: MIT
#include "render/layout.h"

#include "util/text.h"

namespace rocenv {

namespace {

// Columns of a UTF-8 text, one for each code point.
std::size_t columns(std::string_view text) {
    std::size_t count = 0;
    bool style = false;  // inside ESC [ … m, which takes no room
    for (const char byte : text) {
        style = style || byte == '\x1b';
        if (style) {
            style = byte != 'm';
            continue;
        }
        count += (static_cast<unsigned char>(byte) & 0xc0) != 0x80 ? 1 : 0;
    }
    return count;
}

}  // namespace

std::string wrapped(std::string_view first, std::size_t indent, std::string_view text) {
    std::string out;
    std::string line(first);
    bool empty = true;
    for (const auto word : words(text)) {
        const bool begun = columns(line) > indent;
        if (begun && columns(line) + (empty ? 0 : 1) + columns(word) > terminal_width) {
            out += line + "\n";
            line = std::string(indent, ' ');
            empty = true;
        }
        line += (empty ? "" : " ") + std::string(word);
        empty = false;
    }
    return out + line + "\n";
}

std::string styled(std::string_view text, Style style, Colour colour) {
    if (colour == Colour::no) {
        return std::string(text);
    }
    const char* code = style == Style::heading     ? "\x1b[1m"
                       : style == Style::attention ? "\x1b[1;38;5;208m"
                                                   : "\x1b[1;38;5;75m";
    return code + std::string(text) + "\x1b[0m";
}

std::string counted(std::size_t count, std::string_view noun) {
    return number(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace rocenv
