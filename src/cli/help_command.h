// SPDX-License-Identifier: MIT
// rocenv help: the manual, for a terminal or as source of manual pages. Reads nothing.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

Output run_help(const HelpOptions& options, const Process& process);

}  // namespace rocenv
