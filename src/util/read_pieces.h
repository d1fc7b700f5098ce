// SPDX-License-Identifier: MIT
// Files of people's, which are larger than a kernel file.
#pragma once

#include <cstddef>
#include <string>

#include "rocenv/fs.h"

namespace rocenv {

// The whole file, read in pieces to its end. Errors: those of reading, and bad_input for more than
// `most_mib` MiB.
Result<std::string> read_in_pieces(const Fs& fs, const std::string& path, std::size_t most_mib);

}  // namespace rocenv
