// SPDX-License-Identifier: MIT
// Small files of the amdgpu driver and of PCI functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocenv/machine.h"

namespace rocenv {

// "6.10.5", of AMD's own driver packages; the kernel's own driver has no version.
std::optional<std::string> driver_version(const Fs& fs);

std::optional<std::uint32_t> pci_revision(const Fs& fs, const std::string& bdf);

// "SPX" and "NPS1"; nothing where the driver does not say. Not for a suspended device.
std::optional<std::string> compute_partition(const Fs& fs, const std::string& bdf);
std::optional<std::string> memory_partition(const Fs& fs, const std::string& bdf);

// profiles/facts/driver_releases.toml: AMD's releases of the amdgpu driver, and the ROCm releases
// that AMD publishes each to carry: "AMD GPU Driver (amdgpu)" against "Supported ROCm versions".

// Returns "30.30" for "6.16.13", and "31.40" for "6.19.14.31400000"; nothing for what is no version
// of a driver that AMD packaged, as far as is known.
std::optional<std::string> driver_release(std::string_view module_version);

// The month of AMD's table.
inline constexpr std::string_view driver_table_date{
#include "facts/driver_table_date.inc"
};

// From the first to the last of ROCm's releases that are published.
struct CarriedRocm {
    std::string_view first;
    std::string_view last;
};
// Nothing: the table has no such driver.
std::optional<CarriedRocm> rocm_carried_by(std::string_view driver);

// Returns whether a driver carries ROCm "7.2.0-43"; std::nullopt if the table lacks one of them. A
// driver that does not carry the newest ROCm of the table carries no newer one either.
std::optional<bool> carries_rocm(std::string_view driver, std::string_view rocm);

// What the table may lack.
enum class Unlisted { rocm, driver };
// Returns why the table lacks a release ("10.2.0-43", "31.60"); empty if that is not known.
std::string_view why_unlisted(Unlisted of, std::string_view release);

}  // namespace rocenv
