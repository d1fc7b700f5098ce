// SPDX-License-Identifier: MIT
// Who may write from here, and as whom. `state` is where the journal is kept, nothing: the node's
// own place.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/opened.h"
#include "cli/option_groups.h"
#include "os/state/acting_user.h"

namespace rocenv {

// Why nothing may be written from here: not root, a recording, a container without the node's
// journal. Nothing: it may.
std::optional<Output> no_rights(const MachineOptions& options,
                                const std::optional<std::string>& state, const Call& call,
                                const Opened& opened, const std::string& command);

// Of those the container: what a rehearsal, which needs no rights, says as well.
std::optional<Output> no_place(const MachineOptions& options,
                               const std::optional<std::string>& state, const Opened& opened,
                               const std::string& command);

// Why rocm_smi_lib cannot do it. Nothing: it can, or is not asked.
std::optional<Output> no_library(GpuBackend backend, const Patience& patience,
                                 const std::string& command);

// Returns who writes into a folder that stands for a machine. Fails if that user cannot be taken
// on, if what --sysroot or --state names does not answer, or if the stack is too small to go on.
Result<std::unique_ptr<ActingUser>> acting_user(const MachineOptions& options,
                                                const std::optional<std::string>& state);

}  // namespace rocenv
