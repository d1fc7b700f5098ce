// SPDX-License-Identifier: MIT
// What was asked of a machine as lines of a .tree file that answers the same (tree_file.h reads
// it). A file that was missing leaves no line.
#pragma once

#include <string>
#include <string_view>

#include "os/fs/recording_fs.h"

namespace rocenv {

// Entries only, sorted by path, without the first line.
std::string tree_entries(const Notes& notes);

// How many entries such lines are.
std::size_t tree_entry_count(std::string_view entries);

// Text of one line with escapes: printable ASCII, no blank at either end.
std::string tree_escaped(std::string_view text);

}  // namespace rocenv
