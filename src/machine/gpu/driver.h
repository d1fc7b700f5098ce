// SPDX-License-Identifier: MIT
// Small files of the amdgpu driver and of PCI functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocenv/machine.h"

namespace rocenv {

// Returns the version of AMD's driver package, "6.10.5"; std::nullopt for the kernel's own driver,
// or if the file cannot be read.
std::optional<std::string> driver_version(const Fs& fs);

// Returns the revision of a PCI function, at most 0xff; std::nullopt if it is unknown.
std::optional<std::uint32_t> pci_revision(const Fs& fs, const std::string& bdf);

// Returns "SPX"; std::nullopt if the driver does not report it, or not as up to eight upper-case
// letters and digits. Must not be called for a suspended device.
std::optional<std::string> compute_partition(const Fs& fs, const std::string& bdf);
// Returns the memory partition, "NPS1", under the same conditions.
std::optional<std::string> memory_partition(const Fs& fs, const std::string& bdf);

// profiles/facts/driver_releases.toml: AMD's releases of the amdgpu driver, each with the supported
// ROCm releases: "AMD GPU Driver (amdgpu)" against "Supported ROCm versions".

// Returns "30.30" for "6.16.13", and "31.40" for "6.19.14.31400000"; std::nullopt if it is not the
// version of a known driver package of AMD.
std::optional<std::string> driver_release(std::string_view module_version);

// The month of AMD's table.
inline constexpr std::string_view driver_table_date{
#include "facts/driver_table_date.inc"
};

// The first and the last published ROCm release.
struct CarriedRocm {
    std::string_view first;
    std::string_view last;
};
// Returns the ROCm releases of a driver; std::nullopt if the table lacks the driver.
std::optional<CarriedRocm> rocm_carried_by(std::string_view driver);

// Returns whether a driver carries ROCm "7.2.0-43"; std::nullopt if the table lacks one of them. A
// driver that does not carry the newest ROCm of the table carries no newer one either.
std::optional<bool> carries_rocm(std::string_view driver, std::string_view rocm);

// A row or a release that the table may lack.
enum class Unlisted { rocm, driver };
// Returns why the table lacks a release, by its first two numbers ("10.2.0-43", "31.60"); empty if
// that is not known.
std::string_view why_unlisted(Unlisted of, std::string_view release);

}  // namespace rocenv
