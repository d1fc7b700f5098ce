// SPDX-License-Identifier: MIT
// Tables for a terminal of 80 columns. Cells are made printable.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

using TextRow = std::vector<std::string>;

// Columns side by side, two blanks between them, no blanks at a line's end. The first row is the
// heading. A last column that does not fit goes on below itself, broken behind commas.
std::string text_table(const std::vector<TextRow>& cells);

// The same for a matrix whose columns all look alike: columns that do not fit go into further
// blocks below, each with the first column again.
std::string text_matrix(const std::vector<TextRow>& cells);

}  // namespace rocenv
