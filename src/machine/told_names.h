// SPDX-License-Identifier: MIT
// Network interfaces and RDMA devices whose names hold their MAC or GUID, as reports tell them: by
// the address of the PCI function that they belong to.
#pragma once

#include <string>
#include <string_view>

#include "rocenv/machine.h"

namespace rocenv {

// "enx001122334455" becomes "enx@0000:06:00.0", with "/2" for the second such name of a function;
// one that belongs to no device here gets zeros for its digits, but for one that a recording
// numbered.
std::string without_named_addresses(const Machine& machine, std::string_view text);

// The same in a command for a shell: "$(ls /sys/bus/pci/devices/0000:06:00.0/net)", which gives the
// name, where it is the function's only one.
std::string command_without_addresses(const Machine& machine, std::string_view text);

}  // namespace rocenv
