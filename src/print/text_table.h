// SPDX-License-Identifier: MIT
// Tables for a terminal, as Document prints them. Cells are made printable.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "print/style.h"

namespace rocenv {

// A cell with its colour.
struct TextCell {
    TextCell(std::string shown, Tone in = Tone::none) : text(std::move(shown)), tone(in) {}
    TextCell(const char* shown, Tone in = Tone::none) : text(shown), tone(in) {}

    std::string text;
    Tone tone;
};
using TextRow = std::vector<TextCell>;

// Alignment of the columns after the first.
enum class Numbers { left, right };

// Returns columns side by side, with two blanks between them and no blanks at the end of a line.
// Each line starts with `margin` blanks. A cell that is much wider than the others of its column
// moves the rest of its row to the next line. A last column that does not fit continues below
// itself, broken at blanks and after commas.
std::string text_table(const std::vector<TextRow>& cells, Numbers numbers, std::size_t margin,
                       Screen screen);

// Returns a matrix of columns of one kind. Columns that do not fit go into further blocks below,
// each with the first column again. Empty for fewer than two columns; each row has a first cell.
std::string text_matrix(const std::vector<TextRow>& cells, std::size_t margin, Screen screen);

}  // namespace rocenv
