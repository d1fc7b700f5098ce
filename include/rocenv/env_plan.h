// SPDX-License-Identifier: MIT
// The environment a profile asks for, ready to be exported: what `rocenv env` prints and `rocenv
// run` gives to a program. Entries of level info are judged by check and not exported.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/check.h"

namespace rocenv {

// One variable: its value, or nothing where it must not be there.
struct EnvLine {
    std::string name;
    std::optional<std::string> value;
    friend bool operator==(const EnvLine&, const EnvLine&) = default;
};

struct EnvPlan {
    std::vector<EnvLine> lines;         // sorted by name
    std::vector<std::string> profiles;  // resolved names
    std::vector<std::string> errors;    // bad usage or profile: exit 2, nothing is exported
    std::vector<std::string> warnings;
    bool late = false;  // a profile did not answer in time
};

// `machine` should look for GPUs in KFD's list alone: a program start has no time for PCI.
EnvPlan plan_environment(const CheckRequest& request, const Machine& machine, const Fs& host,
                         const Process& process);

// What `${NAME}` stands for; nothing: it is not set.
using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

// `${NAME}` by the lookup, `$$` as one `$`; any other `$` stands for itself. bad_input names the
// variable that is not set, or a `${` without an end.
Result<std::string> expand(std::string_view text, const Lookup& lookup);

// What is wanted of a variable, with the value that env would export here. Where it expands to
// nothing (a `${NAME}` that is not set) it stays as it is written.
Want expanded_here(Want want, const Machine& machine, const Process& process);

// The caller's variables; GPU_COUNT, the GPUs (partitions) that this process may see; and
// LOCAL_RANK, by that name or by those of Slurm, Open MPI, MPICH, MVAPICH, Flux and PALS.
std::optional<std::string> lookup_here(const std::string& name, const Machine& machine,
                                       const Process& process);

}  // namespace rocenv
