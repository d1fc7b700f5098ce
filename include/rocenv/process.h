// SPDX-License-Identifier: MIT
// The asking process as plain data: who asks, with which environment and limits. Under --sysroot
// the environment is still the caller's; limits say nothing about another machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace rocenv {

constexpr std::uint64_t unlimited = UINT64_MAX;

// Where the environment comes from.
enum class EnvironmentOf {
    caller,       // this process
    process,      // another one that shares its mount and cgroup namespaces (--pid)
    far_process,  // another one that does not: its device files are not these
    file,         // --env-file
};

// Variables that an environment file may set to what only its reader computes.
struct NotEvaluated {
    std::map<std::string, std::string> names;  // why, as "job.sh:12: the value uses $, which ..."
    std::string others;  // why a variable that is not set may be set after all; empty: it is not
};

struct Process {
    EnvironmentOf environment_of = EnvironmentOf::caller;
    std::string pid;               // of --pid; empty: this process
    bool of_another_user = false;  // root judges the process of a user
    bool is_root = false;
    bool through_sudo = false;  // root, with SUDO_UID of somebody else in the environment
    std::map<std::string, std::string> environment;
    NotEvaluated not_evaluated;            // of --env-file; none of these is in environment
    std::optional<std::uint64_t> memlock;  // soft limits in bytes and in files
    std::optional<std::uint64_t> nofile;
    std::optional<std::uint64_t> nproc;  // processes and threads of the user
    std::optional<std::uint64_t> stack;
    bool prints_to_terminal = false;   // what it reports, wherever that goes
    std::size_t terminal_columns = 0;  // of that terminal; 0: none, or not known

    // The exact name; nullopt when it is not set at all (set to nothing is "").
    std::optional<std::string> variable(const std::string& name) const {
        const auto found = environment.find(name);
        return found == environment.end() ? std::nullopt : std::optional(found->second);
    }

    // Returns why it is not known whether the variable is set, or to what; std::nullopt if it is.
    std::optional<std::string> why_unknown(const std::string& name) const {
        const auto found = not_evaluated.names.find(name);
        if (found != not_evaluated.names.end()) {
            return found->second;
        }
        const bool known = not_evaluated.others.empty() || environment.contains(name);
        return known ? std::nullopt : std::optional(not_evaluated.others);
    }
};

// This process.
Process calling_process();

// Returns the columns of the terminal behind a descriptor, 0 if there is none or it does not say.
std::size_t columns_of_terminal(int descriptor);

// Seconds since 1970 as "2026-11-20T19:31:00Z". SOURCE_DATE_EPOCH in the environment wins over now.
std::string report_time(const Process& process);

}  // namespace rocenv
