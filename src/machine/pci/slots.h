// SPDX-License-Identifier: MIT
// What the ports of this node say of the slots below them. When firmware has dropped a card with
// its whole branch, the port above is all that is left to tell (capability 0x10: +2 bit 8 slot
// implemented, +0x1a bit 6 presence and bit 1 power fault, +0x12 bit 13 data link active; linux
// include/uapi/linux/pci_regs.h). Configuration space beyond byte 64 is for root only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

struct SlotFault {
    std::string port;  // its address
    std::string what;  // "something is plugged in, and no function is there"
};

struct UnreadPort {
    std::string port;
    Error error;
};

struct SlotSurvey {
    std::size_t slots = 0;            // ports that tell what is in their slot
    std::vector<SlotFault> faults;    // by address, as all of these
    std::vector<UnreadPort> refused;  // not for this user
    std::vector<UnreadPort> unread;   // for any other reason
};

// Whether a port is to be asked, by its address.
using AskPort = std::function<bool(const PciFunction& port)>;

// Asks every bridge that is awake, or those that `asked` picks. `functions` is the list of
// machine.pci().
SlotSurvey survey_slots(const Machine& machine, const std::vector<PciFunction>& functions,
                        const AskPort& asked = {});

// The names that firmware and hot-plug drivers give to slots, as they are printed on the chassis.

// Names by address: "0000:83:00", a device, or "0000:83", a whole bus (/sys/bus/pci/slots/NAME/
// address, linux drivers/pci/slot.c address_read_file(), 6.12). Empty on most nodes.
using SlotNames = std::map<std::string, std::string>;

SlotNames read_slot_names(const Fs& fs);

// Returns the slot of a function, or of the nearest bridge above it that is in one; std::nullopt if
// none is known.
std::optional<std::string> slot_of(const Machine& machine, const SlotNames& names,
                                   const std::string& bdf);

}  // namespace rocenv
