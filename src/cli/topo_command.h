// SPDX-License-Identifier: MIT
// rocenv topo: hwloc's answer, and the body.
#pragma once

#include <optional>

#include "cli/options.h"
#include "os/child/supervise.h"
#include "rocenv/cpu_topology.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

// The CPU topology from hwloc, where the command needs it and hwloc can look there; nothing: it is
// to be read from the kernel's files. Asks a child of this process, so it is called before the
// machine's own helper starts.
std::optional<Result<CpuTopology>> ask_hwloc(const TopoOptions& options);

Output run_topo(const TopoOptions& options, const Fs& machine, const Process& process,
                const std::optional<Result<CpuTopology>>& hwloc);

}  // namespace rocenv
