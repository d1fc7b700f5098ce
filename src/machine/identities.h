// SPDX-License-Identifier: MIT
// By what a node and its parts are known in an inventory: serial numbers, GUIDs and MACs. Nothing
// else of rocenv tells them. All are what a driver or the firmware left in memory.
#pragma once

#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

struct DeviceIdentity {
    std::string target;  // "system", a bus address, a network interface, a disk
    std::string name;    // of the file: "serial_number"
    Result<std::string> value;
};

// Returns those that are there, by target and name. Of a GPU or NIC that is asleep nothing is read.
std::vector<DeviceIdentity> identities_of(const Machine& machine);

}  // namespace rocenv
