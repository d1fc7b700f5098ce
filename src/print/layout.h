// SPDX-License-Identifier: MIT
// Text for a terminal of 80 columns: wrapping, styles, plurals.
#pragma once

#include <string>
#include <string_view>

#include "print/style.h"

namespace rocenv {

constexpr std::size_t terminal_width = 80;

// `text` broken at blanks into lines of at most 80 columns; the first line starts with `first`, the
// others with `indent` blanks. A single word that is too long stays whole, so that a command can be
// copied. Ends with a line end. Both are made printable, and of `first` the styles stay.
std::string wrapped(std::string_view first, std::size_t indent, std::string_view text);

// The same for another width.
std::string wrapped_to(std::size_t width, std::string_view first, std::size_t indent,
                       std::string_view text);

// Never colour alone: every style goes with a word. Bold, and two hues that stay apart for
// colour-blind eyes (blue and orange). The text is made printable, and its line ends stay.
enum class Style { heading, attention, unsure };
std::string styled(std::string_view text, Style style, Colour colour);

// "1 setting", "3 settings".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace rocenv
