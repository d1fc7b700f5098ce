// SPDX-License-Identifier: MIT
// Which GPUs of this node can be used, and what is wrong with each of the others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

struct GpuFault {
    std::string bdf;
    std::string have;         // "no driver"
    std::string detail;       // "none is bound to it"
    bool given_away = false;  // to a driver that hands it to guests
};

struct UnreadGpu {
    std::string bdf;
    Error error;
};

// GPUs made for compute, and all that KFD has; each is in one of these, sorted by address.
struct Census {
    std::set<std::string> all;         // whatever is wrong with it
    std::vector<std::string> usable;   // with driver and KFD node
    std::vector<GpuFault> faults;      // not usable, for a reason that was read
    std::vector<std::string> no_node;  // a driver, and no KFD node that could be seen
    std::vector<UnreadGpu> unread;     // it could not be found out
    std::uint32_t board_gpus = 0;      // how many its model's board carries; 0: not known
    std::size_t on_board = 0;          // how many of such models are on PCI, usable or not
    std::size_t dies = 0;              // of modules with two, on PCI, usable or not
};

// Reads a few bytes of each GPU's configuration space, which tell whether it answers at all; of one
// that sleeps nothing.
Census take_census(const Machine& machine);

}  // namespace rocenv
