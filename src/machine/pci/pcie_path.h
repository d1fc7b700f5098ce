// SPDX-License-Identifier: MIT
// Speed and width of PCIe links, and of the path from a function up to the root. A path is as fast
// as its slowest part, and can be as fast as the slowest part's maximum.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"
#include "util/link_rate.h"

namespace rocenv {

// A link as it is, and as the function could train it; both 0: it has none, or none that is known.
struct LinkState {
    PcieLink current;
    PcieLink most;
};

// Reads both from the function's {current,max}_link_{speed,width}; again: never out of a cache.
enum class LinkRead { once, again };
Result<LinkState> read_link_state(const Fs& fs, const std::string& bdf, LinkRead how);

struct PathPart {
    std::string bdf;
    LinkState link;
};

// The slowest of the parts that could be read.
struct PciePath {
    PcieLink current{UINT64_MAX, UINT64_MAX};
    PcieLink most{UINT64_MAX, UINT64_MAX};
    std::vector<PathPart> parts;  // with a link of their own, from the function up to the root
    std::optional<Error> error;   // of a part that could not be read

    bool known() const { return most.speed != UINT64_MAX; }
    // Returns the parts slower than `wanted`, in words: "0000:00:01.1 8.0 GT/s x16 of 32.0 GT/s
    // x16", with what each can be.
    std::string slower_than(const PcieLink& wanted) const;
};

// Nothing: the function has no PCIe link, or none whose speed is known. A suspended device and what
// is above it are not looked at.
std::optional<PciePath> read_pcie_path(const Machine& machine, const std::string& bdf);

// The PCI functions that exchange data with each other: GPUs made for compute, and RDMA NICs.

struct PathEnds {
    std::vector<std::string> functions;  // NICs, then GPUs, each sorted
    std::optional<Error> uncertain;      // why there may be more
};

PathEnds path_ends(const Machine& machine);

// How many GPUs and RDMA NICs hang below like branches of the PCI tree. A branch that lost one
// shows it by the others, where no port tells what is in its slot. Boards are built in many ways,
// so only one branch that has fewer than all others, which are alike, is odd.

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

// Whether PCI Express carries a device's atomic operations up to host memory.

// A bridge that stops a device's atomic operations.
struct AtomicsObstacle {
    std::string port;
    std::string what;  // a clause without its subject: "does not route AtomicOps"
};

// Returns the bridge above the device that stops AtomicOps, the nearest one first; std::nullopt if
// none does. By the rules of linux drivers/pci/pci.c pci_enable_atomic_ops_to_root, 6.12: switch
// ports route, the upstream port of a switch does not block, and the root port completes 32 and 64
// bits. An error if a bridge cannot be read; beyond its header that takes root.
Result<std::optional<AtomicsObstacle>> atomics_obstacle(const Machine& machine,
                                                        const std::string& bdf);

}  // namespace rocenv
