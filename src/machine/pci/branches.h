// SPDX-License-Identifier: MIT
// How many GPUs and RDMA NICs hang below like branches of the PCI tree. A branch that lost one
// shows it by the others, where no port tells what is in its slot. Boards are built in many ways,
// so only one branch that has fewer than all others, which are alike, is odd.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/pci/path_ends.h"
#include "rocenv/machine.h"

namespace rocenv {

struct OddBranch {
    std::string branch;      // "pci0000:40", or a bridge's address
    std::size_t have = 0;    // how many it has
    std::size_t usual = 0;   // how many each of the others has
    std::size_t others = 0;  // how many there are
};

struct OddBranches {
    std::vector<OddBranch> of_gpus;
    std::vector<OddBranch> of_nics;
    std::optional<Error> unread;  // of a place in the tree: something may be odd that is not told
};

// Each branch is told once, the host bridge first.
OddBranches find_odd_branches(const Machine& machine, const PathEnds& ends);

}  // namespace rocenv
