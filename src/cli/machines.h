// SPDX-License-Identifier: MIT
// The machine that --sysroot names, looked at from a helper, and the files that other options name.
#pragma once

#include "cli/option_groups.h"
#include "os/child/given_files.h"

namespace rocenv {

// `given` over the caller's files, as `work` gets them.
Output supervise(const MachineOptions& options, const GivenFiles& given, const Work& work);

// The same without a helper where nothing that the work asks can keep silent (direct_run.h): for
// what stands in front of programs' starts.
Output supervise_if_needed(const MachineOptions& options, const GivenFiles& given,
                           const Work& work);

// The files behind what options name, with what is read of a pipe at most.
using NamedFiles = std::vector<GivenFiles::File>;
NamedFiles profile_files(const std::vector<std::string>& names);
// Root accepts only a regular file of waivers.
NamedFiles waiver_files(const std::string& file);
NamedFiles env_source_files(const std::vector<std::string>& arguments);
NamedFiles tunable_files(const std::vector<std::string>& paths);
NamedFiles assembly_files(const std::vector<std::string>& paths);

}  // namespace rocenv
