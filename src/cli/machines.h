// SPDX-License-Identifier: MIT
// Runs a command on the machine that --sysroot names, in a helper, and lists the files that other
// options name.
#pragma once

#include "cli/option_groups.h"
#include "os/child/given_files.h"

namespace rocenv {

// `given` over the caller's files, as `work` gets them.
Output supervise(const MachineOptions& options, const GivenFiles& given, const Work& work);

// The same without a helper if the work reads no file that may block (direct_run.h). For commands
// that run before the start of a program.
Output supervise_if_needed(const MachineOptions& options, const GivenFiles& given,
                           const Work& work);

// Files that options name, with the limit for reading a pipe.
using NamedFiles = std::vector<GivenFiles::File>;
NamedFiles profile_files(const std::vector<std::string>& names);
// Root accepts only a regular file of waivers.
NamedFiles waiver_files(const std::string& file);
NamedFiles env_source_files(const std::vector<std::string>& arguments);
NamedFiles tunable_files(const std::vector<std::string>& paths);
NamedFiles assembly_files(const std::vector<std::string>& paths);

}  // namespace rocenv
