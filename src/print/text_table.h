// SPDX-License-Identifier: MIT
// Tables for a terminal, as Document prints them. Cells are made printable.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "print/style.h"

namespace rocenv {

struct TextCell {
    TextCell(std::string shown, Tone in = Tone::none) : text(std::move(shown)), tone(in) {}
    TextCell(const char* shown, Tone in = Tone::none) : text(shown), tone(in) {}

    std::string text;
    Tone tone;
};
using TextRow = std::vector<TextCell>;

// Where the columns behind the first are aligned.
enum class Numbers { left, right };

// Columns side by side, two blanks between them, no blanks at a line's end. The first row is the
// heading. A cell that is much wider than the others of its column moves the rest of its row to
// the next line. A last column that does not fit goes on below itself, broken at blanks and behind
// commas.
std::string text_table(const std::vector<TextRow>& cells, Numbers numbers, std::size_t margin,
                       Screen screen);

// The same for a matrix whose columns are all equal in kind: columns that do not fit go into
// further blocks below, each with the first column again.
std::string text_matrix(const std::vector<TextRow>& cells, std::size_t margin, Screen screen);

}  // namespace rocenv
