// SPDX-License-Identifier: MIT
// Texts of variables: an environment other than the caller's own, ${NAME} in values, and the rules
// for showing a value.
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

// Rules for showing the value of a variable to the readers of a report.

// Returns whether a variable's value is never shown: the catalogue lists it as a secret, or does
// not list it and its name ends as those of secrets do (MY_API_KEY, password).
bool is_secret_name(std::string_view name);

// Id of the findings about lines of an --env-file.
inline const std::string env_file_id = "env.file";

// An environment other than the caller's own: of a running process, or of a file for docker,
// systemd or a shell.

// The variables by name.
using Environment = std::map<std::string, std::string>;

// Reads /proc/PID/environ, which lacks later changes by the program. Fails with not_permitted for
// another user's process, with not_here for a missing process or a kernel thread, with garbled for
// more than 4096 variables. The first value of a repeated name counts.
Result<Environment> environment_of(const Fs& machine, const std::string& pid);

// One line of a file that its program ignores or that rocenv does not evaluate. It holds no part of
// the line, which may hold a secret.
struct UnreadLine {
    std::string place;  // "FILE:12"
    std::string state;  // "ignored" or "not evaluated"
    std::string why;    // one sentence
    std::string advice;
};

// The variables of a process or of files, those without a known value, and the unread lines.
struct GivenEnvironment {
    Environment variables;
    NotEvaluated not_evaluated;  // names that are not in `variables`
    std::vector<UnreadLine> unread;
};

// Returns whether a shell, systemd and POSIX accept `name` as the name of a variable.
bool is_identifier(std::string_view name);

// Returns the file of an --env-file argument, without "docker:", "systemd:" or "sh:" in front.
std::string env_file_path(const std::string& argument);

// Reads "FILE", "docker:FILE", "systemd:FILE" or "sh:FILE"; without a word in front the form is
// docker's. A name without "=" gets the caller's value, as in docker. Fails with bad_input, which
// names FILE:LINE, with garbled for more than 4096 variables or unread lines, or with the error of
// reading the file.
Result<GivenEnvironment> read_env_file(const Fs& host, const std::string& argument,
                                       const Process& caller);

// Returns the environment of a process ("": none), with the files of --env-file over it; a later
// file overrides an earlier one. Errors are those of environment_of() and read_env_file().
Result<GivenEnvironment> given_environment(const std::string& pid,
                                           const std::vector<std::string>& files, const Fs& machine,
                                           const Fs& host, const Process& caller);

// Returns `caller` with the given environment, and its origin by the namespaces and the user of the
// process. Moves the variables out of `given`.
Process process_given(const Process& caller, GivenEnvironment& given, const std::string& pid,
                      const Fs& machine);

// Reads a file of docker run --env-file: NAME=VALUE to the end of the line, without quoting
// (docker/cli pkg/kvfile/kvfile.go, 2026-08). A name that the caller has not set is an unread line.
// Fails with bad_input for a name that docker rejects. `file` is the name in messages.
Result<GivenEnvironment> parse_docker_file(const std::string& file, std::string_view text,
                                           const Process& caller);

// Reads an EnvironmentFile= of systemd.exec(5): quotes, backslashes, continued lines. Lines that
// systemd ignores are unread. Fails with bad_input for a quote that is not closed.
Result<GivenEnvironment> parse_systemd_file(const std::string& file, std::string_view text);

// Expansion of ${NAME} in the values of a profile's variables.

// A function that returns the value of `${NAME}`; std::nullopt: not set.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

// Replaces `${NAME}` by the lookup's value and `$$` by one `$`; keeps any other `$`. Fails with
// bad_input for a variable that is not set, a `${` without an end, or a value that makes the result
// larger than 128 KiB.
Result<std::string> expand(std::string_view text, const Lookup& lookup);

// Returns a variable of the caller. ROCM_PATH is the folder of the default ROCm, the caller's value
// if no ROCm is in it, or /opt/rocm without any. GPU_COUNT, if not set, is the number of GPUs
// (partitions) that programs see. LOCAL_RANK may also come from Slurm, Open MPI, MPICH, MVAPICH,
// Flux or PALS. std::nullopt if none is set, or if the GPUs could not be read.
std::optional<std::string> lookup_here(const std::string& name, const Machine& machine,
                                       const Process& process);

// Returns the number of GPUs that programs see; each partition of a GPU counts as one.
std::size_t visible_gpus(const Machine& machine);

}  // namespace rocenv
