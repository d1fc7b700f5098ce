// SPDX-License-Identifier: MIT
// rocenv fleet: the reports of many nodes as one.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

// Reads files, folders and streams in this process: as for sort, what is not there yet is waited
// for.
Output run_fleet(const FleetOptions& options, const Process& process);

}  // namespace rocenv
