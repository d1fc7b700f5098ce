// SPDX-License-Identifier: MIT
// set, reset and status around their core: requests out of options, output out of results. Who runs
// them, with which lock and signals, is run.cpp.
#pragma once

#include <optional>

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

struct ResetRequest;  // transaction/set.h
struct SetRequest;

SetRequest set_request(const Options& options);
ResetRequest reset_request(const Options& options);

// Of set and reset. With -q what failed is told on stderr.
Output set_output(const Options& options, const SetResult& result, const Process& process);
Output status_output(const Options& options, const Status& status, const Process& process);

// Bad usage that names what --only, --skip, --allow and --keep ask for and no setting is; nothing
// when all are.
std::optional<Output> wrong_names(const Options& options);

// Bad usage that names the profiles that fit this node; nothing when one was named.
std::optional<Output> profile_missing(const Options& options, const std::string& command,
                                      const Fs& machine, const Fs& host, const Process& process);

// set --persist-hints: prints, writes nothing.
Output run_persist_hints(const Options& options, const Fs& machine, const Fs& host,
                         const Process& process);

}  // namespace rocenv
