// SPDX-License-Identifier: MIT
// What this node would run TunableOp with, and each validator's value against it.
#pragma once

#include <string>
#include <vector>

#include "commands/tunableop/tunable.h"
#include "machine/gpu/gpu_models.h"

namespace rocenv {

struct TunableStack {
    Result<TorchBuild> torch;
    bool torch_given = false;
    Result<FoundVersion> hip;
    Result<FoundVersion> rocm;
    Result<FoundVersion> hipblaslt;
    Result<FoundVersion> rocblas;
    Result<std::vector<GcnArch>> arches;
};

TunableStack tunable_stack(const Versions& versions, const Machine& machine,
                           const Process& process);

// One row for each validator of the file and each one that is missing from it, the known ones
// first.
std::vector<TunableRow> judge_validators(const std::vector<TunableValidator>& validators,
                                         const TunableStack& stack);

}  // namespace rocenv
