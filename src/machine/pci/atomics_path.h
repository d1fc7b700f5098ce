// SPDX-License-Identifier: MIT
// Whether PCI Express carries a device's atomic operations up to host memory.
#pragma once

#include <optional>
#include <string>

#include "rocenv/machine.h"

namespace rocenv {

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
