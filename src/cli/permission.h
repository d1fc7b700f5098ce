// SPDX-License-Identifier: MIT
// Who may write from here, and as whom.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/opened.h"
#include "cli/options.h"
#include "sys/state/acting_user.h"

namespace rocenv {

// Why nothing may be written from here: not root, a recording, a container without the node's
// journal. Nothing: it may.
std::optional<Output> no_rights(const Options& options, const Process& process,
                                const Opened& opened, const std::string& command);

// Of those the container: what a rehearsal, which needs no rights, says as well.
std::optional<Output> no_place(const Options& options, const Opened& opened,
                               const std::string& command);

// Why rocm_smi_lib cannot do it. Nothing: it can, or is not asked.
std::optional<Output> no_library(const Options& options, const std::string& command);

// Who writes into a folder that stands for a machine. Error: it cannot be done as that user, or
// what
// --sysroot or --state names does not answer.
Result<std::unique_ptr<ActingUser>> acting_user(const Options& options);

}  // namespace rocenv
