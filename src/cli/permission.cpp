// SPDX-License-Identifier: MIT
#include "cli/permission.h"

#include "cli/commands.h"
#include "os/child/path_looks.h"
#include "os/state/node_folder.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "vendor/smi_probe.h"

namespace rocenv {

namespace {

const std::string state_place = "/run/rocenv";

// Why the journal here would not be the one that all share who may change this kernel.
std::optional<std::string> not_the_nodes(const std::optional<std::string>& state,
                                         const Machine& machine) {
    if (!machine.facts().container) {
        return std::nullopt;
    }
    const auto why = state ? not_of_the_node(*state, OnRoot::will_do)
                           : not_of_the_node(state_place, OnRoot::will_not_do);
    return why ? std::optional(why->text) : std::nullopt;
}

}  // namespace

std::optional<Output> no_rights(const MachineOptions& options,
                                const std::optional<std::string>& state, const Call& call,
                                const Opened& opened, const std::string& command) {
    if (is_tree(options)) {
        return failure(exit_usage, command +
                                       ": a recording cannot be written to, only rehearsed "
                                       "(--dry-run); a folder can");
    }
    if (options.sysroot) {
        return std::nullopt;
    }
    if (!call.process.is_root) {
        Output output = failure(exit_unknown, command + " needs root, nothing was written. Run:");
        output.err += "  sudo " + printable(call.command_line, uncut) + "\n";
        return output;
    }
    return no_place(options, state, opened, command);
}

std::optional<Output> no_place(const MachineOptions& options,
                               const std::optional<std::string>& state, const Opened& opened,
                               const std::string& command) {
    const auto why =
        options.sysroot ? std::nullopt : not_the_nodes(state, Machine(opened.machine()));
    return why ? std::optional(failure(
                     exit_unknown, command +
                                       ": in a container the kernel is everybody's, nothing was "
                                       "written (" +
                                       *why + "). Mount the node's " + state_place +
                                       " here, or name it: --state DIR"))
               : std::nullopt;
}

std::optional<Output> no_library(GpuBackend backend, const Patience& patience,
                                 const std::string& command) {
    if (backend == GpuBackend::sysfs) {
        return std::nullopt;
    }
    const auto devices = smi_devices(patience.probe_seconds);
    return devices ? std::nullopt
                   : std::optional(failure(exit_rolled_back, command + ": " + devices.error().text +
                                                                 ", nothing was written"));
}

Result<std::unique_ptr<ActingUser>> acting_user(const MachineOptions& options,
                                                const std::optional<std::string>& state) {
    std::vector<std::string> named;
    for (const auto& path : {options.sysroot, state}) {
        if (path) {
            named.push_back(*path);
        }
    }
    const auto ms = static_cast<std::int64_t>(options.patience.deadline_seconds * 1000);
    if (auto silent = named.empty() ? std::nullopt : first_silent(named, ms)) {
        return *std::move(silent);
    }
    return options.sysroot && !is_tree(options) ? ActingUser::owner_of(*options.sysroot)
                                                : std::unique_ptr<ActingUser>();
}

}  // namespace rocenv
