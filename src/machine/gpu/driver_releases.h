// SPDX-License-Identifier: MIT
// profiles/facts/driver_releases.toml: AMD's releases of the amdgpu driver, and the ROCm releases
// that AMD publishes each to carry: "AMD GPU Driver (amdgpu)" against "Supported ROCm versions".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

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

// Returns whether a driver carries ROCm "7.2.0-43"; nothing where the table lacks one of them.
std::optional<bool> carries_rocm(std::string_view driver, std::string_view rocm);

}  // namespace rocenv
