// SPDX-License-Identifier: MIT
// topo: its options and its body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/option_tree.h"
#include "rocenv/cpu_topology.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "sys/helper/supervise.h"

namespace rocenv {

struct TopoOptions {
    std::vector<std::string> get;       // keys or globs
    std::optional<std::uint64_t> bind;  // a job's LOCAL_RANK
    std::string bind_format = "text";
    std::optional<std::string> hwloc_xml;  // the CPU side from what lstopo wrote
};

struct Options;

void add_topo_options(CommandOptions& command, TopoOptions& options);

// The CPU side from hwloc, where the command needs it and hwloc can look there; nothing: it is to
// be read from the kernel's files. Asks a child of this process, so it is called before the
// machine's own helper starts.
std::optional<Result<CpuTopology>> ask_hwloc(const Options& options);

Output run_topo(const Options& options, const Fs& machine, const Process& process,
                const std::optional<Result<CpuTopology>>& hwloc);

}  // namespace rocenv
