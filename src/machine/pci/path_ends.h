// SPDX-License-Identifier: MIT
// The PCI functions that exchange data with each other: GPUs made for compute, and RDMA NICs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

struct PathEnds {
    std::vector<std::string> functions;  // NICs, then GPUs, each sorted
    std::optional<Error> uncertain;      // why there may be more
};

PathEnds path_ends(const Machine& machine);

}  // namespace rocenv
