// SPDX-License-Identifier: MIT
// rocenv tunableop check, show, merge. Files are the caller's, read through `host`.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

// 2: a file that cannot be read or is none of TunableOp's; else 1: PyTorch would refuse one, or it
// is damaged; else 3: that cannot be told; else 0.
Output run_tunable_check(const TunableCheckOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);

// 2 when one of the files cannot be shown; the others are.
Output run_tunable_show(const TunableShowOptions& options, const Fs& host);

// The merged file in Output.out; nothing there when they do not go together (2).
Output run_tunable_merge(const TunableMergeOptions& options, const Fs& host);

}  // namespace rocenv
