// SPDX-License-Identifier: MIT
// Extended capabilities in PCI configuration space, read 4 bytes at a time: each is a transaction
// on the bus, and some chips lock up on undefined space (linux drivers/pci/pci-sysfs.c
// pci_read_config), so the list is followed and never swept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocenv/fs.h"

namespace rocenv {

// PCIe access control services, extended capability 0x000d (linux include/uapi/linux/pci_regs.h).
struct Acs {
    std::uint16_t offset = 0;      // of the capability
    std::uint16_t capability = 0;  // bits the function implements
    std::uint16_t control = 0;     // bits that are on
};

namespace acs {
constexpr std::uint16_t control_offset = 6;  // from the start of the capability
constexpr std::uint16_t source_validation = 0x01;
constexpr std::uint16_t request_redirect = 0x04;
constexpr std::uint16_t completion_redirect = 0x08;
constexpr std::uint16_t egress_control = 0x20;
// What sends peer traffic through the root complex. Upstream forwarding governs forwarding only.
constexpr std::uint16_t redirect = request_redirect | completion_redirect | egress_control;
}  // namespace acs

// Whether the function has configuration space beyond the first 256 bytes. Told by the size of its
// file alone, without asking the device.
Result<bool> has_extended_config(const Fs& fs, const std::string& bdf);

// The ACS capability of a function with extended space; nullopt when it has none. Errors:
// not_permitted when the caller may see 64 bytes only (never "no ACS"), io when the device answers
// all ones (gone or unpowered), garbled when the list loops or leads out of extended space.
Result<std::optional<Acs>> read_acs(const Fs& fs, const std::string& bdf);

// The bits as lspci prints them: "SrcValid+ TransBlk- ReqRedir+ …" (pciutils ls-ecaps.c cap_acs).
std::string acs_bits(std::uint16_t word);

}  // namespace rocenv
