// SPDX-License-Identifier: MIT
// Which GPUs of this node can be used, and what is wrong with each of the others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/setting.h"

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

// What has fallen off the bus while the kernel still lists it, and what is not even listed.

// Returns whether a function answers all ones; one that sleeps is not touched, and has not. A
// recording may lack the file, which then tells nothing.
Result<bool> has_fallen(const Machine& machine, const std::string& bdf);

// Returns the devices that the site waives and that neither PCI nor KFD lists: nobody knows what
// was there, or whether anything ever was. So they excuse no more than what is missing beside all
// that is known.
std::set<std::string> waived_and_gone(const Context& context);

// What tells of GPUs that are not on PCI at all, and so have no address.

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
