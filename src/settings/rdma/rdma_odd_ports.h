// SPDX-License-Identifier: MIT
// Ports beside GPUs that are off though those of like NICs train. Ports are alike that have the
// same place on cards of one model: the first of each card, or the second. Where the second of all
// cards is off, or that of most, it is off by design.
#pragma once

#include <vector>

#include "settings/rdma/rdma_ports.h"

namespace rocenv {

struct OddPort {
    RdmaPort port;
    std::size_t like = 0;  // ports like it, of other cards, that train
};

// Returns the odd ones among those that are off.
std::vector<OddPort> odd_ports(const Context& context, const TrainingPorts& training);

}  // namespace rocenv
