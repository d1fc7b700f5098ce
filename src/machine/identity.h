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

// The same for the target of a setting, by its id: of net.* that is a network interface, known by
// its PCI function and by the network namespace that this process is in: "14e4:1760 at=0000:06:00.0
// netns=4026531840".
std::string identity_of(const Machine& machine, std::string_view id, const std::string& target);

// Why what is there now is not what was recorded: another device, or another network namespace.
std::string told_other(std::string_view recorded, std::string_view present);

// Two answers of identity_of() may be about one device: no part that both have differs.
bool same_device(std::string_view recorded, std::string_view present);

}  // namespace rocenv
