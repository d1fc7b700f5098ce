// SPDX-License-Identifier: MIT
// set, reset and status around their core: what is asked before, output out of results. Who runs
// them, with which lock and signals, is transact.cpp.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "report/render.h"
#include "rocenv/process.h"

namespace rocenv {

struct SetResult;  // transaction/set.h
struct Status;

// Of set and reset. With -q what failed is told on stderr.
Output set_output(const PrintOptionsIn<ReportFormat>& options, DryRun dry_run,
                  const SetResult& result, const Process& process);
Output status_output(const PrintOptionsIn<ReportFormat>& options, const Status& status,
                     const Process& process);

// Patterns of ids, and the option that gave them.
struct GivenPatterns {
    const char* option;
    const std::vector<std::string>& patterns;
};
// Bad usage that names what is asked for and no setting is; nothing when all are.
std::optional<Output> wrong_names(std::initializer_list<GivenPatterns> given);

// Bad usage that names the profiles that fit this node; nothing when one was named.
std::optional<Output> profile_missing(const ProfileOptions& options, const std::string& command,
                                      const Fs& machine, const Fs& host, const Process& process);

// set --persist-hints: prints, writes nothing.
Output run_persist_hints(const SetOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);

}  // namespace rocenv
