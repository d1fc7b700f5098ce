// SPDX-License-Identifier: MIT
// A process as plain data: its user, environment and limits. Under --sysroot the environment is
// still the caller's, and the limits do not apply to the other machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace rocenv {

constexpr std::uint64_t unlimited = UINT64_MAX;

// Source of the environment.
enum class EnvironmentOf {
    caller,       // this process
    process,      // another one that shares its mount and cgroup namespaces (--pid)
    far_process,  // another one in other namespaces, with its own device files (--pid)
    file,         // --env-file
};

// Variables of an environment file whose values only a shell would compute.
struct NotEvaluated {
    std::map<std::string, std::string> names;  // reasons: "job.sh:12: the value uses $, which ..."
    std::string others;  // reason why any other variable may be set; empty: none is
};

// The process that a check judges.
struct Process {
    EnvironmentOf environment_of = EnvironmentOf::caller;
    std::string pid;               // number given with --pid; empty: this process
    bool of_another_user = false;  // root judges another user's process
    bool is_root = false;
    bool through_sudo = false;  // root, with another user's SUDO_UID in the environment
    std::map<std::string, std::string> environment;
    NotEvaluated not_evaluated;            // with --env-file; these are not in `environment`
    std::optional<std::uint64_t> memlock;  // soft limit in bytes, or `unlimited`
    std::optional<std::uint64_t> nofile;   // soft limit of open files
    std::optional<std::uint64_t> nproc;    // soft limit of processes and threads of the user
    std::optional<std::uint64_t> stack;    // soft limit in bytes
    bool prints_to_terminal = false;       // the standard output of this process is a terminal
    std::size_t terminal_columns = 0;      // width of that terminal; 0: unknown, or no terminal

    // Returns the value of the variable with exactly this name, "" if it is set but empty.
    // std::nullopt if it is not set.
    std::optional<std::string> variable(const std::string& name) const {
        const auto found = environment.find(name);
        return found == environment.end() ? std::nullopt : std::optional(found->second);
    }

    // Returns why the variable or its value is unknown; std::nullopt if both are known.
    std::optional<std::string> why_unknown(const std::string& name) const {
        const auto found = not_evaluated.names.find(name);
        if (found != not_evaluated.names.end()) {
            return found->second;
        }
        const bool known = not_evaluated.others.empty() || environment.contains(name);
        return known ? std::nullopt : std::optional(not_evaluated.others);
    }
};

// Returns the environment, ids, limits and terminal of this process. The first of two variables
// with one name counts.
Process calling_process();

// Returns the columns of the terminal behind a descriptor, 0 if there is none or the width is
// unknown.
std::size_t columns_of_terminal(int descriptor);

// Returns the present time as "2026-11-20T19:31:00Z" (UTC). A number in SOURCE_DATE_EPOCH of the
// environment replaces the clock. A time before 1970 or after 9999 becomes "1970-01-01T00:00:00Z".
std::string report_time(const Process& process);

}  // namespace rocenv
