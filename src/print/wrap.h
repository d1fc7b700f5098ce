// SPDX-License-Identifier: MIT
// Columns and lines of text: the base of Document, and of --help, which is 80 columns wide on every
// terminal. Nothing else should need it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "print/style.h"

namespace rocenv {

// Returns how many columns a UTF-8 text takes on a terminal: none for combining characters and
// for escape sequences of styles, two for wide characters (East Asian Width W and F of Unicode).
std::size_t columns_of(std::string_view text);

// Returns blanks that fill a text of that many columns up to `width`.
std::string blanks_after(std::size_t columns, std::size_t width);

// Returns the line with a line end behind its last letter.
std::string without_blanks_at_end(const std::string& line);

// Returns the text made printable, in the colour of its tone.
std::string toned(std::string_view text, Tone tone, Colour colour);

// Breaks `text` at blanks into lines of at most `width` columns; the first line starts with
// `first`, the others with `indent` blanks. A single word that is too long stays whole, so that a
// command can be copied. Ends with a line end. Both are made printable, and of `first` the styles
// stay.
std::string wrapped_to(std::size_t width, std::string_view first, std::size_t indent,
                       std::string_view text);

// Adds a list to the last of the lines of `start`, broken behind commas, with `indent` blanks in
// front of further lines. It has `most_lines` lines at most; a line for the number of elements that
// are left out follows.
std::string listed_to(std::size_t width, const std::string& start, std::size_t indent,
                      std::string_view list, std::size_t most_lines);

}  // namespace rocenv
