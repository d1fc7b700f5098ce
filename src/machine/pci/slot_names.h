// SPDX-License-Identifier: MIT
// The names that firmware and hot-plug drivers give to slots, as they are printed on the chassis.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "rocenv/machine.h"

namespace rocenv {

// Names by address: "0000:83:00", a device, or "0000:83", a whole bus (/sys/bus/pci/slots/NAME/
// address, linux drivers/pci/slot.c address_read_file(), 6.12). Empty on most nodes.
using SlotNames = std::map<std::string, std::string>;

SlotNames read_slot_names(const Fs& fs);

// Returns the slot of a function, or of the nearest bridge above it that is in one; std::nullopt if
// none is known.
std::optional<std::string> slot_of(const Machine& machine, const SlotNames& names,
                                   const std::string& bdf);

}  // namespace rocenv
