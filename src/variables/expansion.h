// SPDX-License-Identifier: MIT
// ${NAME} in the values of a profile's variables.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/machine.h"
#include "rocenv/process.h"

namespace rocenv {

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
