// SPDX-License-Identifier: MIT
// Standard input, whole.
#pragma once

#include <string>

#include "rocenv/result.h"

namespace rocenv {

// Waits for its end, so many seconds at most where nobody types it (timed_out). More than 1 MiB is
// an error of kind garbled, as for a file.
Result<std::string> read_standard_input(double seconds);

}  // namespace rocenv
