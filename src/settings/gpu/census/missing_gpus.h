// SPDX-License-Identifier: MIT
// What tells of GPUs that are not on PCI at all, and so have no address.
#pragma once

#include <set>
#include <string>

#include "rocenv/setting.h"

namespace rocenv {

// Returns where to look for GPUs that are known to be missing: ports with something in them, and
// branches of the tree with fewer GPUs than those like them. Begins with "; ".
std::string where_to_look(const Machine& machine);

// Returns which of these dies has lost the other die of its module, in words: the one without a
// link of 200000 MB/s in KFD, or where KFD states none, the one in a NUMA node with an odd number.
std::string lone_die(const Context& context, const std::set<std::string>& dies);

struct SlotEvidence {
    std::string ports;      // like those above this node's GPUs, and nothing below; empty: none
    std::size_t count = 0;  // of them
    bool refused = false;   // only root can ask them
};

// Returns what slots tell where nobody knows how many GPUs there should be. A port is like a GPU's
// by its PCI id and its width: a slot for a disk is narrower.
SlotEvidence slot_evidence(const Machine& machine);

}  // namespace rocenv
