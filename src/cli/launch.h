// SPDX-License-Identifier: MIT
// rocenv run: the profile's environment, a check on request, then the program in this process'
// place.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

// Comes back only when the program did not start, or when this process stayed to look after it
// (--init, --tune): then with its exit status.
Output run_launch(const Options& options, const Process& process);

}  // namespace rocenv
