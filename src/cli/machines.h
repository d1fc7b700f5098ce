// SPDX-License-Identifier: MIT
// The machine that --sysroot names, looked at from a helper.
#pragma once

#include "cli/options.h"

namespace rocenv {

Output supervise(const Options& options, const Work& work);

}  // namespace rocenv
