// SPDX-License-Identifier: MIT
// rocenv run: the profile's environment, a check on request, then the program in this process'
// place.
#pragma once

#include "cli/call.h"
#include "cli/options.h"

namespace rocenv {

// Comes back only when the program did not start, or when this process stayed to look after it
// (--init, --tune): then with its exit status.
Output run_launch(const RunOptions& options, const Call& call);

}  // namespace rocenv
