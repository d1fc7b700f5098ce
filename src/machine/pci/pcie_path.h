// SPDX-License-Identifier: MIT
// Speed and width of PCIe links, and of the path from a function to the root. The slowest part
// determines the speed of a path, and its maximum that of the path.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"
#include "util/link_rate.h"

namespace rocenv {

// The present link and the function's maximum; both 0: no link, or an unknown one.
struct LinkState {
    PcieLink current;
    PcieLink most;
};

enum class LinkRead { once, again };  // `again` bypasses caches
// Reads both from {current,max}_link_{speed,width} of the function. A function without these files,
// or with unknown values in them, has 0. Fails with the error of the first file that cannot be
// read, `garbled` for other text.
Result<LinkState> read_link_state(const Fs& fs, const std::string& bdf, LinkRead how);

// One function of a path.
struct PathPart {
    std::string bdf;
    LinkState link;
};

// The slowest of the readable parts; UINT64_MAX if none is readable.
struct PciePath {
    PcieLink current{UINT64_MAX, UINT64_MAX};
    PcieLink most{UINT64_MAX, UINT64_MAX};
    std::vector<PathPart> parts;  // parts with their own link, from the function to the root
    std::optional<Error> error;   // error of an unreadable part

    // Returns whether a part has a known maximum.
    bool known() const { return most.speed != UINT64_MAX; }
    // Returns the parts slower than `expected` as text, separated by ", ". Each has its maximum:
    // "0000:00:01.1 8.0 GT/s x16 of 32.0 GT/s x16", or "ADDRESS 8.0 GT/s x16, its maximum". Empty
    // if there are none.
    std::string slower_than(const PcieLink& expected) const;
};

// Returns the path; std::nullopt if the function has no PCIe link of a known speed. A suspended
// device and the parts above are not read.
std::optional<PciePath> read_pcie_path(const Machine& machine, const std::string& bdf);

// PCI functions that exchange data: GPUs made for compute, and RDMA NICs.

// The GPUs and NICs at the ends of PCIe paths.
struct PathEnds {
    std::vector<std::string> functions;  // NICs, then GPUs, each sorted
    std::optional<Error> uncertain;      // reason why further functions may exist
};

// Returns these functions. GPUs without an agent count if they are accelerators; GPUs that are only
// in KFD do not.
PathEnds path_ends(const Machine& machine);

// The numbers of GPUs and RDMA NICs below equal branches of the PCI tree. Comparison with the
// others shows a branch that lost a device, if no port reports its slot. Board designs vary, so a
// branch is an outlier only if it alone has fewer than all others, which are equal.

// An outlier branch.
struct OutlierBranch {
    std::string branch;      // "pci0000:40", or a bridge's address
    std::size_t have = 0;    // number of its devices
    std::size_t usual = 0;   // number in each other branch
    std::size_t others = 0;  // number of other branches
};

// The outliers of a node.
struct OutlierBranches {
    std::vector<OutlierBranch> of_gpus;
    std::vector<OutlierBranch> of_nics;
    std::optional<Error> unread;  // unreadable location: outliers may be missing
};

// Returns at most one outlier for GPUs and one for NICs: a host bridge, else the first outlier
// among equal bridges of one depth. Fewer than three branches are not compared. A branch with GPUs
// and without NICs counts as one with 0 NICs.
OutlierBranches find_outlier_branches(const Machine& machine, const PathEnds& ends);

// The route of a device's atomic operations over PCI Express to host memory.

// A bridge that blocks a device's atomic operations.
struct AtomicsObstacle {
    std::string port;
    std::string what;  // a clause without its subject: "does not route AtomicOps"
};

// Returns the nearest bridge above the device that blocks AtomicOps; std::nullopt if there is none.
// The rules are those of linux drivers/pci/pci.c pci_enable_atomic_ops_to_root, 6.12: switch ports
// route, the upstream port of a switch does not block, and the root port completes 32 and 64 bits.
// Fails if a bridge cannot be read and no other one blocks; reads beyond its header require root.
Result<std::optional<AtomicsObstacle>> atomics_obstacle(const Machine& machine,
                                                        const std::string& bdf);

}  // namespace rocenv
