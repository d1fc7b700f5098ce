// SPDX-License-Identifier: MIT
// Which ROCm each driver carries: ROCm/amdgpu-docs docs/compatibility/compatibility-matrix.rst, of
// driver 31.50 and ROCm 10.0.0, 2026-09; as published before in ROCm/rocm-install-on-linux
// docs/reference/user-kernel-space-compat-matrix.rst. Drivers 31.10 to 31.30 are previews without a
// row.
//
// Which version the module of a release states: the packages amdgpu-dkms of repo.radeon.com/amdgpu
// ("6.10.5.60304" of 6.3.4). From 31.40 on it states its release as well (ROCm/gpu-operator #610;
// ROCm/rocm-systems projects/amdsmi, test of its driver versions, 2026-09).
#include "machine/gpu/driver_releases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

struct DriverRow {
    std::string_view release;
    std::string_view module;  // what /sys/module/amdgpu/version starts with
    CarriedRocm rocm;
};
constexpr std::array rows = {
    DriverRow{"31.50", "7.1.3", {"7.0", "10.0"}},   DriverRow{"31.40", "6.19.14", {"7.0", "10.0"}},
    DriverRow{"30.30", "6.16.13", {"6.3", "10.0"}}, DriverRow{"30.20", "6.16.6", {"6.3", "10.0"}},
    DriverRow{"30.10", "6.14.14", {"6.2", "10.0"}}, DriverRow{"6.4", "6.12.12", {"6.1", "7.2"}},
    DriverRow{"6.3", "6.10.5", {"6.1", "7.0"}},     DriverRow{"6.2", "6.8.5", {"6.0", "7.0"}},
    DriverRow{"6.1", "6.7.0", {"5.7", "6.4"}},      DriverRow{"6.0", "6.3.6", {"5.6", "6.2"}},
    DriverRow{"5.7", "6.2.4", {"5.5", "6.1"}},      DriverRow{"5.6", "6.1.5", {"5.4", "6.0"}},
    DriverRow{"5.5", "6.0.5", {"5.3", "5.7"}},      DriverRow{"5.4", "5.18.13", {"5.2", "5.6"}},
    DriverRow{"5.3", "5.18.2", {"5.1", "5.5"}},
};

// ROCm's releases that the table knows, in their order.
constexpr std::array<std::string_view, 17> rocm_releases = {
    "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7",  "6.0", "6.1",
    "6.2", "6.3", "6.4", "7.0", "7.1", "7.2", "7.14", "10.0"};

// The numbers that a version starts with, "6.19.14.31400000"; empty for anything else.
std::vector<std::uint64_t> numbers_of(std::string_view version) {
    std::vector<std::uint64_t> out;
    for (const auto piece :
         split(version.substr(0, version.find_first_not_of("0123456789.")), '.')) {
        const auto value = parse_number(piece);
        if (!value) {
            return {};
        }
        out.push_back(*value);
    }
    return out;
}

std::string dotted(std::uint64_t major, std::uint64_t minor) {
    return number(major) + "." + number(minor);
}

// A fourth number is the release and its patches: 31400000 of 31.40.0, 60304 of 6.3.4.
std::string release_of_package(std::uint64_t package) {
    constexpr std::uint64_t eight_digits = 10000000;
    constexpr std::uint64_t two_digits = 100;
    const auto without_patches =
        package / (package >= eight_digits ? two_digits * two_digits : two_digits);
    return dotted(without_patches / two_digits, without_patches % two_digits);
}

// Where in the list; its size for a release that is not there.
std::size_t place_of(std::string_view release) {
    const auto* found = std::find(rocm_releases.begin(), rocm_releases.end(), release);
    return static_cast<std::size_t>(found - rocm_releases.begin());
}

}  // namespace

std::optional<std::string> driver_release(std::string_view module_version) {
    constexpr std::size_t of_upstream = 3;
    constexpr std::uint64_t least_package = 50000;  // ROCm 5.0
    const auto numbers = numbers_of(module_version);
    if (numbers.size() > of_upstream && numbers[of_upstream] >= least_package) {
        return release_of_package(numbers[of_upstream]);
    }
    if (numbers.size() < of_upstream) {
        return std::nullopt;
    }
    const auto module = dotted(numbers[0], numbers[1]) + "." + number(numbers[2]);
    const auto* row = std::find_if(rows.begin(), rows.end(),
                                   [&](const DriverRow& each) { return each.module == module; });
    return row == rows.end() ? std::nullopt : std::optional(std::string(row->release));
}

std::optional<CarriedRocm> rocm_carried_by(std::string_view driver) {
    const auto* row = std::find_if(rows.begin(), rows.end(),
                                   [&](const DriverRow& each) { return each.release == driver; });
    return row == rows.end() ? std::nullopt : std::optional(row->rocm);
}

std::optional<bool> carries_rocm(std::string_view driver, std::string_view rocm) {
    const auto carried = rocm_carried_by(driver);
    const auto numbers = numbers_of(rocm);
    if (!carried || numbers.size() < 2) {
        return std::nullopt;
    }
    const auto place = place_of(dotted(numbers[0], numbers[1]));
    if (place == rocm_releases.size()) {
        return std::nullopt;
    }
    return place >= place_of(carried->first) && place <= place_of(carried->last);
}

}  // namespace rocenv
