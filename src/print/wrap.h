// SPDX-License-Identifier: MIT
// Columns and lines of text: the base of Document, and of --help, which is 80 columns wide on every
// terminal. Other code should not need it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "print/style.h"

namespace rocenv {

// Returns the columns of a UTF-8 text on a terminal. Combining characters and escape sequences of
// styles have none. Wide characters (East Asian Width W and F of Unicode) have two.
std::size_t columns_of(std::string_view text);

// Returns the blanks that fill a text of that many columns up to `width`; empty if it is wider.
std::string blanks_after(std::size_t columns, std::size_t width);

// Returns the line without blanks at its end, followed by a line end.
std::string without_blanks_at_end(const std::string& line);

// Returns the text made printable, in the colour of its tone.
std::string toned(std::string_view text, Tone tone, Colour colour);

// Returns `text` broken at blanks, which become one each, into lines of at most `width` columns.
// The first line starts with `first`, the others with `indent` blanks. A single word that is too
// long stays whole, so that a command can be copied. The text ends with a line end. Both texts are
// made printable; `first` keeps its styles.
std::string wrapped_to(std::size_t width, std::string_view first, std::size_t indent,
                       std::string_view text);

// Returns `start`, which ends with a line end, with a list added to its last line, broken after
// commas, with `indent` blanks in front of further lines. After `most_lines` lines of the list, a
// line gives the number of elements that are left out: "and 12 more (-v)". The list is made
// printable.
std::string listed_to(std::size_t width, const std::string& start, std::size_t indent,
                      std::string_view list, std::size_t most_lines);

}  // namespace rocenv
