// SPDX-License-Identifier: MIT
// The body of each command: from options and a machine to output.
#pragma once

#include "cli/options.h"
#include "rocenv/process.h"

namespace rocenv {

Output run_check(const CheckOptions& options, const Fs& machine, const Fs& host,
                 const Process& process);
Output run_env(const EnvOptions& options, const Fs& machine, const Fs& host,
               const Process& process);
Output run_record(const RecordOptions& options, const Fs& machine, const Fs& host,
                  const Process& process);
Output run_profile_list(const ProfileListOptions& options, const Fs& host, const Process& process);
Output run_profile_show(const ProfileShowOptions& options, const Fs& machine, const Fs& host,
                        const Process& process);
Output run_profile_diff(const ProfileDiffOptions& options, const Fs& machine, const Fs& host,
                        const Process& process);
Output run_profile_learn(const ProfileLearnOptions& options, const Fs& machine, const Fs& host,
                         const Process& process);
// `input` is what standard input holds, read where it is a name.
Output run_profile_lint(const ProfileLintOptions& options, const Fs& machine, const Fs& host,
                        const Process& process, const std::optional<Result<std::string>>& input);

// Whether to colour what goes to stdout.
Colour colour_for(UseColour use, const Process& process);

// A command that ends with this status and one line on stderr.
Output failure(int exit_code, const std::string& text);

// "rocenv: TEXT" lines for stderr, each text made printable.
std::string error_lines(const std::vector<std::string>& texts);

}  // namespace rocenv
