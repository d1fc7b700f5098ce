// SPDX-License-Identifier: MIT
// CPUs that isolcpus= on the kernel line takes out of scheduling (linux kernel/sched/isolation.c
// housekeeping_isolcpus_setup, 6.12): threads that are bound to many of them all stay on the first.
#pragma once

#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

// Whether no CPU near one of the GPUs is left to the scheduler. A node that isolates some of them
// was made so on purpose. An error: where a GPU is could not be read.
Result<bool> isolates_gpu(const Machine& machine, const std::vector<KernelArgument>& arguments);

}  // namespace rocenv
