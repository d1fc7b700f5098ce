// SPDX-License-Identifier: MIT
// Which device is at a PCI address, so that what one device held is not written to another that
// came to the same address since.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

// By what a node and its parts are known in an inventory: serial numbers, GUIDs and MACs. Nothing
// else of rocenv tells them. All are what a driver or the firmware left in memory.

struct DeviceIdentity {
    std::string target;  // "system", a bus address, a network interface, a disk
    std::string name;    // of the file: "serial_number"
    Result<std::string> value;
};

// Returns those that are there, by target and name. Of a GPU or NIC that is asleep nothing is read.
std::vector<DeviceIdentity> identities_of(const Machine& machine);

// Names that hold a hardware address: "enx001122334455" of systemd (systemd.net-naming-scheme(7),
// ID_NET_NAME_MAC), "rocex0011223344556677" and "ibx001122334455" of rdma-core (kernel-boot
// rdma_rename, NAME_GUID).

struct NamedAddress {
    std::string_view prefix;  // "enx"
    std::string_view digits;  // "001122334455": 12 or 16
};

// Returns the text with each word that is such a name replaced.
std::string replace_named_addresses(
    std::string_view text, const std::function<std::string(const NamedAddress&)>& replacement);

// Network interfaces and RDMA devices whose names hold their MAC or GUID, as reports tell them: by
// the address of the PCI function that they belong to.

// "enx001122334455" becomes "enx@0000:06:00.0", with "/2" for the second such name of a function;
// one that belongs to no device here gets zeros for its digits, but for one that a recording
// numbered.
std::string without_named_addresses(const Machine& machine, std::string_view text);

// The same in a command for a shell: "$(ls /sys/bus/pci/devices/0000:06:00.0/net)", which gives the
// name, where it is the function's only one.
std::string command_without_addresses(const Machine& machine, std::string_view text);

}  // namespace rocenv
