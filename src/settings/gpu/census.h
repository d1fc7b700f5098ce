// SPDX-License-Identifier: MIT
// A count of the usable GPUs of a node, and the faults of the others.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rocenv/machine.h"
#include "rocenv/setting.h"

namespace rocenv {

// A GPU that cannot be used.
struct GpuFault {
    std::string bdf;
    std::string have;         // "no driver"
    std::string detail;       // "none is bound to it"
    bool given_away = false;  // bound to a driver for guests
};

// A GPU whose state could not be read.
struct UnreadGpu {
    std::string bdf;
    Error error;
};

// All GPUs on PCI made for compute or known to KFD, without virtual functions. Each is in `all` and
// in one list, in the order of Machine::gpus().
struct Census {
    std::set<std::string> all;         // addresses of all GPUs, faulty ones included
    std::vector<std::string> usable;   // with driver and KFD node
    std::vector<GpuFault> faults;      // unusable, with the reason
    std::vector<std::string> no_node;  // with a driver, but without a visible KFD node
    std::vector<UnreadGpu> unread;     // state could not be read
    std::uint32_t board_gpus = 0;      // GPUs on the board of the model; 0: unknown
    std::size_t on_board = 0;          // GPUs of such models on PCI, usable or not
    std::size_t dies = 0;              // dies of modules with two dies on PCI, usable or not
};

// Counts the GPUs. Reads a few bytes of each configuration space to detect whether the GPU
// responds; a suspended GPU is not touched.
Census take_census(const Machine& machine);

// GPUs that have fallen off the bus while the kernel still lists them, and GPUs that are not
// listed.

// Returns true if a function reads as all ones. A suspended function is not touched and counts as
// present. A recording may lack the file; the result is then false. Fails with other errors of the
// configuration space.
Result<bool> has_fallen(const Machine& machine, const std::string& bdf);

// Returns the waived devices of the site that neither PCI nor KFD lists. Their former presence is
// unknown, so they only excuse GPUs that are missing beyond all known ones.
std::set<std::string> waived_and_gone(const Context& context);

// Evidence of GPUs that are not on PCI and have no address.

// Returns the likely locations of missing GPUs: occupied ports, and branches of the PCI tree with
// fewer GPUs than similar ones. The text is never empty and begins with "; ".
std::string where_to_search(const Machine& machine);

// Returns which of these dies lost the other die of its module, as text; all candidates are named.
// It is the die without a link of 200000 MB/s in KFD. If KFD states no bandwidth, it is a die in a
// NUMA node with an odd number of dies.
std::string lone_die(const Context& context, const std::set<std::string>& dies);

// Ports with a fault that may belong to missing GPUs, such as an occupied slot without a function.
struct SlotEvidence {
    std::string ports;      // ports like those of GPUs, each with its fault; empty: none
    std::size_t count = 0;  // number of these ports
    bool refused = false;   // true if only root can read the ports
};

// Returns the evidence of slots if the expected number of GPUs is unknown. A port counts as a GPU's
// by PCI id and width, since slots for disks are narrower. Empty without a GPU to compare with.
SlotEvidence slot_evidence(const Machine& machine);

}  // namespace rocenv
