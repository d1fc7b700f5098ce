// SPDX-License-Identifier: MIT
// topo: its options and its body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/option_tree.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/supervise.h"

namespace rocenv {

struct TopoOptions {
    std::vector<std::string> get;       // keys or globs
    std::optional<std::uint64_t> bind;  // a job's LOCAL_RANK
    std::string bind_format = "text";
};

struct Options;

void add_topo_options(CommandOptions& command, TopoOptions& options);

Output run_topo(const Options& options, const Fs& machine, const Process& process);

}  // namespace rocenv
