// SPDX-License-Identifier: MIT
// Which device is at a PCI address, so that what one device held is not written to another that
// came to the same address since.
#pragma once

#include <string>
#include <string_view>

#include "rocenv/machine.h"

namespace rocenv {

// "1002:74a1 1002:74a1 unique_id=8a4c1b2f3d5e6071 serial=692251000123": ids of the function, of its
// subsystem, and of an AMD GPU the numbers that its driver keeps in memory. What cannot be read,
// makes no sense or would wake the device is left out. "" for a target that is no PCI address.
// One file at most that pci() has not read, three more of a GPU.
std::string identity_of(const Machine& machine, const std::string& target);

// Two answers of identity_of() may be about one device: no part that both have differs.
bool same_device(std::string_view recorded, std::string_view present);

}  // namespace rocenv
