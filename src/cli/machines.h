// SPDX-License-Identifier: MIT
// Functions that run a command in a helper on the machine given with --sysroot, and lists of the
// files that other options name.
#pragma once

#include "cli/option_groups.h"
#include "os/child/given_files.h"

namespace rocenv {

// Runs `work` in a helper, with the `given` files over those of the caller.
Output supervise(const MachineOptions& options, const GivenFiles& given, const Work& work);

// Does the same without a helper if the work reads no file that may block (direct_run.h). For
// commands that run before the start of a program.
Output supervise_if_needed(const MachineOptions& options, const GivenFiles& given,
                           const Work& work);

// Files given with options, with the size limit for pipes. A list has a file for each name, in
// order.
using NamedFiles = std::vector<GivenFiles::File>;
// Returns the profiles that are named by path, with '/' or ".toml".
NamedFiles profile_files(const std::vector<std::string>& names);
// Returns the file of waivers; nothing for an empty name. Root accepts only a regular file.
NamedFiles waiver_files(const std::string& file);
// Returns the files of --env-file arguments.
NamedFiles env_source_files(const std::vector<std::string>& arguments);
// Returns TunableOp result files.
NamedFiles tunable_files(const std::vector<std::string>& paths);
// Returns files of assembly.
NamedFiles assembly_files(const std::vector<std::string>& paths);

}  // namespace rocenv
