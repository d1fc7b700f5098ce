// SPDX-License-Identifier: MIT
// Slots as reported by the ports above them. If firmware removed a card with its whole branch, only
// the port above shows it (capability 0x10: +2 bit 8 slot implemented, +0x1a bit 6 presence and bit
// 1 power fault, +0x12 bit 13 data link active; linux include/uapi/linux/pci_regs.h). Configuration
// space beyond byte 64 is readable only by root.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

// A fault of one slot.
struct SlotFault {
    std::string port;  // address of the port
    std::string what;  // a clause: "something is plugged in, and no function is there"
};

// A port that could not be read.
struct UnreadPort {
    std::string port;
    Error error;
};

// The state of all slots.
struct SlotSurvey {
    std::size_t slots = 0;            // ports that report their slot
    std::vector<SlotFault> faults;    // sorted by address, like the others
    std::vector<UnreadPort> refused;  // not readable for this user
    std::vector<UnreadPort> unread;   // unreadable for other reasons
};

// A function that selects the ports to read.
using AskPort = std::function<bool(const PciFunction& port)>;

// Reads every PCI bridge, or those that `asked` selects. A suspended one is not read and is in
// `unread`. `functions` is the list of machine.pci(), sorted.
SlotSurvey survey_slots(const Machine& machine, const std::vector<PciFunction>& functions,
                        const AskPort& asked = {});

// Slot names of firmware and hot-plug drivers, as printed on the chassis.

// Names by address: "0000:83:00" is a device, "0000:83" a whole bus (/sys/bus/pci/slots/NAME/
// address, linux drivers/pci/slot.c address_read_file(), 6.12). Empty on most nodes.
using SlotNames = std::map<std::string, std::string>;

// Reads the slot names. Unreadable ones are left out; of two at one address the first by bytes
// counts.
SlotNames read_slot_names(const Fs& fs);

// Returns the slot of a function, or of the nearest bridge above it; std::nullopt if none is known.
std::optional<std::string> slot_of(const Machine& machine, const SlotNames& names,
                                   const std::string& bdf);

}  // namespace rocenv
