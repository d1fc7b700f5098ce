// SPDX-License-Identifier: MIT
// One value of each GPU and RDMA NIC, to be judged as like devices; those of one PCI id are alike.
#pragma once

#include <functional>
#include <string>

#include "settings/shapes/like_devices.h"

namespace rocenv {

// Tells what one of them holds; not_here: it has no such thing.
using ReadEnd = std::function<Result<std::string>(const Machine& machine, const std::string& bdf)>;

LikeDevices end_values(const Context& context, const ReadEnd& read);

// Reads 16 bits of a function's PCI Express capability (linux include/uapi/linux/pci_regs.h). An
// error: asleep where it is, not_here only where it has no such capability.
Result<std::uint16_t> express_register(const Machine& machine, const std::string& bdf,
                                       std::uint16_t offset);

}  // namespace rocenv
