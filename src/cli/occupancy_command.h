// SPDX-License-Identifier: MIT
// rocenv occupancy: files and options to kernels, kernels to answers.
#pragma once

#include "cli/options.h"
#include "rocenv/fs.h"

namespace rocenv {

// `machine` is asked for its GPU only, `files` for what --asm and --triton name.
Output run_occupancy(const OccupancyOptions& options, const Fs& machine, const Fs& files);

}  // namespace rocenv
