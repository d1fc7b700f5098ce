// SPDX-License-Identifier: MIT
#include "print/layout.h"

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
    return wrapped_to(terminal_width, first, indent, text);
}

std::string wrapped_to(std::size_t width, std::string_view first, std::size_t indent,
                       std::string_view text) {
    std::string out;
    std::string line = printable_but(Kept::styles, first);
    bool empty = true;
    for (const auto raw : words(text)) {
        const std::string word = printable(raw, uncut);
        const bool begun = columns(line) > indent;
        if (begun && columns(line) + (empty ? 0 : 1) + columns(word) > width) {
            out += line + "\n";
            line = std::string(indent, ' ');
            empty = true;
        }
        line += (empty ? "" : " ") + word;
        empty = false;
    }
    return out + line + "\n";
}

std::string styled(std::string_view text, Style style, Colour colour) {
    std::string shown = printable_but(Kept::line_ends, text);
    if (colour == Colour::no) {
        return shown;
    }
    const auto code = style == Style::heading     ? style_code::heading
                      : style == Style::attention ? style_code::attention
                                                  : style_code::unsure;
    return std::string(code) + shown + std::string(style_code::end);
}

std::string counted(std::size_t count, std::string_view noun) {
    return number(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace rocenv
