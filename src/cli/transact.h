// SPDX-License-Identifier: MIT
// set, reset and status as processes: rights, container, lock, signals and the helper that writes.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

Output run_set(const Options& options, const Process& process);
Output run_reset(const Options& options, const Process& process);
Output run_status(const Options& options, const Process& process);

}  // namespace rocenv
