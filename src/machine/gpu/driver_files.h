// SPDX-License-Identifier: MIT
// Small files of the amdgpu driver and of PCI functions.
#pragma once

#include "rocenv/machine.h"

namespace rocenv {

// "6.10.5", of AMD's own driver packages; the kernel's own driver has no version.
std::optional<std::string> driver_version(const Fs& fs);

std::optional<std::uint32_t> pci_revision(const Fs& fs, const std::string& bdf);

// "SPX" and "NPS1"; nothing where the driver does not say. Not for a suspended device.
std::optional<std::string> compute_partition(const Fs& fs, const std::string& bdf);
std::optional<std::string> memory_partition(const Fs& fs, const std::string& bdf);

}  // namespace rocenv
