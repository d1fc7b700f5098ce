// SPDX-License-Identifier: MIT
// An environment that is not the caller's own: of a running process, or of a file that docker or
// systemd would read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

using Environment = std::map<std::string, std::string>;

// /proc/PID/environ. What a program sets for itself later is not in there. not_permitted: another
// user's process; not_here: no such process, or a kernel thread.
Result<Environment> environment_of(const Fs& machine, const std::string& pid);

// The file that an argument of --env-file names, without "docker:" or "systemd:" in front.
std::string env_file_path(const std::string& argument);

// "FILE", "docker:FILE" or "systemd:FILE"; without a word it is docker's form. A name without "="
// is taken from the caller, as docker does. bad_input names FILE:LINE.
Result<Environment> read_env_file(const Fs& host, const std::string& argument,
                                  const Process& caller);

// That of a process ("": of none), with the files of --env-file over it, of which the later wins.
Result<Environment> given_environment(const std::string& pid, const std::vector<std::string>& files,
                                      const Fs& machine, const Fs& host, const Process& caller);

// Returns whose environment that is, by the mount and cgroup namespaces of the process.
EnvironmentOf environment_origin(const std::string& pid, const Fs& machine);

// docker run --env-file: NAME=VALUE to the end of the line, nothing is quoted.
Result<Environment> parse_docker_file(const std::string& file, std::string_view text,
                                      const Process& caller);

// EnvironmentFile= of systemd.exec(5): quotes, backslashes, lines that continue.
Result<Environment> parse_systemd_file(const std::string& file, std::string_view text);

}  // namespace rocenv
