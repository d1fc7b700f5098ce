// SPDX-License-Identifier: MIT
// rocenv explain.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

Output run_explain(const ExplainOptions& options, const Fs& machine, const Fs& host,
                   const Process& process);

}  // namespace rocenv
