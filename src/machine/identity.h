// SPDX-License-Identifier: MIT
// The identity of the device at a PCI address, so that a value is not restored to another device
// that was installed there later.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

// Returns "1002:74a1 1002:74a1 unique_id=8a4c1b2f3d5e6071 serial=692251000123": ids of the function
// and its subsystem, and for an AMD GPU the numbers that its driver has in memory. Unreadable or
// invalid parts are left out, and a suspended device is not woken. Returns "" for a target that is
// not a PCI address, or whose function could not be identified. Reads at most one file that pci()
// has not read, three more of a GPU.
std::string identity_of(const Machine& machine, const std::string& target);

// Returns the identity of a setting's target. For net.* that is a network interface, identified by
// its PCI function and the network namespace of this process: "14e4:1760 at=0000:06:00.0
// netns=4026531840".
std::string identity_of(const Machine& machine, std::string_view id, const std::string& target);

// Returns the reason why the present device is another one: another device, or another network
// namespace. Requires that same_device() is false.
std::string changed_identity(std::string_view recorded, std::string_view present);

// Returns true if both identities may be of one device: no common part differs. An empty one may be
// of any.
bool same_device(std::string_view recorded, std::string_view present);

// Inventory identities of a node and its parts: serial numbers, GUIDs and MACs. No other part of
// rocenv reports them. All values are in the memory of a driver or the firmware.

// One identity.
struct DeviceIdentity {
    std::string target;  // "system", a bus address, a network interface, a disk
    std::string name;    // file name: "serial_number"
    Result<std::string> value;
};

// Returns the existing ones, by target and name. Values are cut after 64 bytes. A suspended GPU or
// NIC is not read: it has one entry "any" with the error. An unreadable list is one entry of
// "system".
std::vector<DeviceIdentity> identities_of(const Machine& machine);

// Names with a hardware address: "enx001122334455" of systemd (systemd.net-naming-scheme(7),
// ID_NET_NAME_MAC), "rocex0011223344556677" and "ibx001122334455" of rdma-core (kernel-boot
// rdma_rename, NAME_GUID).

// The parts of such a name.
struct NamedAddress {
    std::string_view prefix;  // "enx"
    std::string_view digits;  // "001122334455": 12 or 16
};

// Replaces each word of the text that is such a name. A word consists of letters and digits.
std::string replace_named_addresses(
    std::string_view text, const std::function<std::string(const NamedAddress&)>& replacement);

// Names of network interfaces and RDMA devices with a MAC or GUID, as reports show them: by the
// address of their PCI function.

// Returns the text with "enx@0000:06:00.0" for "enx001122334455"; "/2" marks the second such name
// of a function. The digits of a name without a device here become zeros, unless a recording
// numbered them.
std::string without_named_addresses(const Machine& machine, std::string_view text);

// Returns the same for a shell command: "$(ls /sys/bus/pci/devices/0000:06:00.0/net)", which prints
// the name, if it is the only one of the function.
std::string command_without_addresses(const Machine& machine, std::string_view text);

}  // namespace rocenv
