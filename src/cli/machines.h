// SPDX-License-Identifier: MIT
// The machine that --sysroot names, looked at from a helper.
#pragma once

#include "cli/options.h"

namespace rocenv {

Output supervise(const Options& options, const Work& work);

// Reads what the options name and no helper could read; once, since it may be a pipe.
std::shared_ptr<const GivenFiles> read_given(const Options& options);

// The caller's files as the options name them: `host`, with what read_given() has read.
std::unique_ptr<Fs> caller_files(const Options& options, const Fs& host);

}  // namespace rocenv
