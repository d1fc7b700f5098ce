// SPDX-License-Identifier: MIT
// The software that TunableOp would use on this node, and the comparison of each validator with it.
#pragma once

#include <string>
#include <vector>

#include "commands/tunableop/tunable.h"
#include "machine/gpu/gpu_models.h"

namespace rocenv {

// Versions of the software, or the reasons why they are unknown.
struct TunableStack {
    Result<TorchBuild> torch;
    bool torch_given = false;  // set by --assume
    Result<FoundVersion> hip;
    Result<FoundVersion> rocm;
    Result<FoundVersion> hipblaslt;
    Result<FoundVersion> rocblas;
    Result<std::vector<GcnArch>> arches;
};

// Reads the versions of this node.
TunableStack tunable_stack(const Versions& versions, const Machine& machine,
                           const Process& process);

// Returns one row for each validator of the file and each missing one. Known validators come first;
// HIP_VERSION and ROCM_VERSION, of which a file has one, share a row. An unknown one differs.
std::vector<TunableRow> judge_validators(const std::vector<TunableValidator>& validators,
                                         const TunableStack& stack);

}  // namespace rocenv
