// SPDX-License-Identifier: MIT
// rocenv completion: the script that makes a shell complete rocenv's command lines, and, behind
// "--", what that script asks: the words that may stand at the end of a line.
#pragma once

#include "cli/options.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

// `host` is read for names of profiles.
Output run_completion(const CompletionOptions& options, const Fs& host, const Process& process);

}  // namespace rocenv
