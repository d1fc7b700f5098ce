// SPDX-License-Identifier: MIT
// Files that hold a number, or a list of numbers, and nothing else. garbled: one holds another
// thing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

// Returns the number that is all of a file.
Result<std::uint64_t> count_of_file(const Fs& fs, const std::string& path);

// The same as text, without blanks and leading zeros.
Result<std::string> read_number(const Fs& fs, const std::string& path);

// Returns the list of numbers that is all of a file ("0-3,8"); an empty line is an empty list.
Result<std::vector<std::uint32_t>> numbers_of_file(const Fs& fs, const std::string& path);

}  // namespace rocenv
