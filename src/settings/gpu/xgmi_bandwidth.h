// SPDX-License-Identifier: MIT
// Checks of xGMI by KFD's bandwidths and by the links of the dies of a module.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Returns whether a GPU is one of the two dies of a module (MI250, MI250X).
bool is_die(const Gpu& gpu);

// Returns what is wrong with the links of a die to the other members of its hive; empty if nothing.
// A die has four links to the other die of its module, and one or two to dies of other modules:
// 50 GB/s a link (AMD, MI250 microarchitecture, ROCm 7.14), 200 GB/s in a module and 50 to 100
// between modules (Frontier User Guide, docs.olcf.ornl.gov, 2026). Which dies are neighbours is the
// board's. With an odd number of dies one has no other die, which gpu.count reports.
std::string module_fault(const std::vector<std::uint64_t>& links, std::size_t dies);

// Returns a finding for each GPU of a pair whose bandwidth is not that of most pairs of this node
// with equal GPUs, equal link type and equal hops; of dies for those without a pair of four links.
// 0 is not stated. Only xGMI between GPUs is compared: what PCIe carries is pci.link's.
std::vector<Assessment> odd_bandwidths(const Context& context);

// Returns the grades of these findings.
std::span<const Grade> bandwidth_grades();

}  // namespace rocenv
