// SPDX-License-Identifier: MIT
#include "print/layout.h"

#include "util/text.h"

namespace rocenv {

std::string wrapped(std::string_view first, std::size_t indent, std::string_view text) {
    return wrapped_to(terminal_width, first, indent, text);
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

}  // namespace rocenv
