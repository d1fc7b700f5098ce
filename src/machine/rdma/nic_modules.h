// SPDX-License-Identifier: MIT
// The kernel modules that make the RDMA devices of NICs.
#pragma once

#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

// Returns what to do about a NIC that has no RDMA device, by the driver bound to it (empty: none).
// A NIC whose modules are loaded already has failed, and the kernel's log says why. Empty: nothing
// is known about NICs of its maker.
std::string step_without_device(const Machine& machine, const std::string& bdf,
                                const std::string& driver);

// Returns the names of the loaded kernel modules.
Result<std::vector<std::string>> loaded_modules(const Fs& fs);

}  // namespace rocenv
