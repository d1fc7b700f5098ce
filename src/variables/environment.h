// SPDX-License-Identifier: MIT
// Texts of variables: an environment that is not the caller's own, ${NAME} in values, and what of a
// value may be shown.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/machine.h"
#include "rocenv/process.h"

namespace rocenv {

// What of a variable's value may be shown to whoever reads a report.

// Returns whether a variable's value is never shown: the catalogue calls it a secret, or does not
// know it and its name ends as those of secrets do (MY_API_KEY, password).
bool is_secret_name(std::string_view name);

// The id of the findings about lines of an --env-file.
inline const std::string env_file_id = "env.file";

// An environment that is not the caller's own: of a running process, or of a file that docker or
// systemd would read.

using Environment = std::map<std::string, std::string>;

// /proc/PID/environ. What a program sets for itself later is not in there. not_permitted: another
// user's process; not_here: no such process, or a kernel thread.
Result<Environment> environment_of(const Fs& machine, const std::string& pid);

// One line of a file that the reader ignores, or that rocenv does not evaluate. No part of the line
// is kept: it may hold a secret.
struct UnreadLine {
    std::string place;  // "FILE:12"
    std::string state;  // "ignored" or "not evaluated"
    std::string why;    // one sentence
    std::string advice;
};

struct GivenEnvironment {
    Environment variables;
    NotEvaluated not_evaluated;  // none of its names is in `variables`
    std::vector<UnreadLine> unread;
};

// Returns whether a shell, systemd and POSIX accept it as a variable's name.
bool is_identifier(std::string_view name);

// The file that an argument of --env-file names, without "docker:", "systemd:" or "sh:" in front.
std::string env_file_path(const std::string& argument);

// "FILE", "docker:FILE", "systemd:FILE" or "sh:FILE"; without a word it is docker's form. A name
// without "=" is taken from the caller, as docker does. bad_input names FILE:LINE.
Result<GivenEnvironment> read_env_file(const Fs& host, const std::string& argument,
                                       const Process& caller);

// That of a process ("": of none), with the files of --env-file over it, of which the later wins.
Result<GivenEnvironment> given_environment(const std::string& pid,
                                           const std::vector<std::string>& files, const Fs& machine,
                                           const Fs& host, const Process& caller);

// Returns `caller` with the given environment, and whose it is by the namespaces and the user of
// the process.
Process process_given(const Process& caller, GivenEnvironment& given, const std::string& pid,
                      const Fs& machine);

// docker run --env-file: NAME=VALUE to the end of the line, nothing is quoted
// (docker/cli pkg/kvfile/kvfile.go, 2026-08).
Result<GivenEnvironment> parse_docker_file(const std::string& file, std::string_view text,
                                           const Process& caller);

// EnvironmentFile= of systemd.exec(5): quotes, backslashes, lines that continue.
Result<GivenEnvironment> parse_systemd_file(const std::string& file, std::string_view text);

// ${NAME} in the values of a profile's variables.

// What `${NAME}` stands for; nothing: it is not set.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

// `${NAME}` by the lookup, `$$` as one `$`; any other `$` stands for itself. bad_input names the
// variable that is not set, or a `${` without an end.
Result<std::string> expand(std::string_view text, const Lookup& lookup);

// The caller's variables; ROCM_PATH where it is not set, the folder of the ROCm that counts;
// GPU_COUNT, the GPUs (partitions) that this process may see; and LOCAL_RANK, by that name or by
// those of Slurm, Open MPI, MPICH, MVAPICH, Flux and PALS.
std::optional<std::string> lookup_here(const std::string& name, const Machine& machine,
                                       const Process& process);

// Returns how many GPUs programs see: a partition of a GPU is one of its own.
std::size_t visible_gpus(const Machine& machine);

}  // namespace rocenv
