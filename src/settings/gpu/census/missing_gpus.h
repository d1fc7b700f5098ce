// SPDX-License-Identifier: MIT
// What tells of GPUs that are not on PCI at all, and so have no address.
#pragma once

#include <string>

#include "rocenv/machine.h"

namespace rocenv {

// Returns where to look for GPUs that are known to be missing: ports with something in them, and
// branches of the tree with fewer GPUs than those like them. Begins with "; ".
std::string where_to_look(const Machine& machine);

struct SlotEvidence {
    std::string ports;      // like those above this node's GPUs, and nothing below; empty: none
    std::size_t count = 0;  // of them
    bool refused = false;   // only root can ask them
};

// Returns what slots tell where nobody knows how many GPUs there should be. A port is like a GPU's
// by its PCI id and its width: a slot for a disk is narrower.
SlotEvidence slot_evidence(const Machine& machine);

}  // namespace rocenv
