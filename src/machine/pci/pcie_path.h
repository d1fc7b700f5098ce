// SPDX-License-Identifier: MIT
// Speed and width of PCIe links, and of the path from a function up to the root. A path is as fast
// as its slowest part, and can be as fast as the slowest part's maximum.
#pragma once

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

}  // namespace rocenv
