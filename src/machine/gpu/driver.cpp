// SPDX-License-Identifier: MIT
#include "machine/gpu/driver.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

std::optional<std::string> word_of(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    const auto word = text ? trim(*text) : std::string_view();
    return word.empty() ? std::nullopt : std::optional(printable(word, 40));
}

// Returns a mode such as "SPX" or "NPS1".
std::optional<std::string> mode_of(const Fs& fs, const std::string& path) {
    constexpr std::size_t longest = 8;
    auto word = word_of(fs, path);
    const bool good =
        word && word->size() <= longest && std::all_of(word->begin(), word->end(), [](char byte) {
            return (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
        });
    return good ? word : std::nullopt;
}

}  // namespace

std::optional<std::string> driver_version(const Fs& fs) {
    return word_of(fs, "/sys/module/amdgpu/version");
}

std::optional<std::uint32_t> pci_revision(const Fs& fs, const std::string& bdf) {
    const auto word = word_of(fs, pci_path(bdf, "/revision"));
    const auto value =
        word && word->starts_with("0x") ? parse_number(word->substr(2), 16) : std::nullopt;
    return value && *value <= 0xff ? std::optional(static_cast<std::uint32_t>(*value))
                                   : std::nullopt;
}

std::optional<std::string> compute_partition(const Fs& fs, const std::string& bdf) {
    return mode_of(fs, pci_path(bdf, "/current_compute_partition"));
}

std::optional<std::string> memory_partition(const Fs& fs, const std::string& bdf) {
    return mode_of(fs, pci_path(bdf, "/current_memory_partition"));
}

namespace {

// One row of profiles/facts/driver_releases.toml.
struct DriverRow {
    std::string_view release;
    std::string_view module;  // prefix of /sys/module/amdgpu/version
    std::string_view first_rocm;
    std::string_view last_rocm;
};
constexpr DriverRow driver_rows[] = {
#include "facts/driver_releases.inc"
};
constexpr std::string_view rocm_releases[] = {
#include "facts/rocm_releases.inc"
};
// A release of AMD's that the table lacks.
struct UnlistedRow {
    Unlisted of;
    std::string_view release;
    std::string_view why;
};
constexpr UnlistedRow unlisted_rows[] = {
#include "facts/unlisted_releases.inc"
};

const DriverRow* driver_row(std::string_view DriverRow::*member, std::string_view text) {
    const auto* const found =
        std::find_if(std::begin(driver_rows), std::end(driver_rows),
                     [&](const DriverRow& row) { return row.*member == text; });
    return found == std::end(driver_rows) ? nullptr : found;
}

// Returns the numbers at the start of a version, "6.19.14.31400000"; empty for other text.
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

// Returns the release of a fourth number: 31400000 is 31.40.0, 60304 is 6.3.4.
std::string release_of_package(std::uint64_t package) {
    constexpr std::uint64_t eight_digits = 10000000;
    constexpr std::uint64_t two_digits = 100;
    const auto without_patches =
        package / (package >= eight_digits ? two_digits * two_digits : two_digits);
    return dotted(without_patches / two_digits, without_patches % two_digits);
}

// Returns the position in the list; its size for a release that is not listed.
std::size_t index_of_release(std::string_view release) {
    return static_cast<std::size_t>(
        std::find(std::begin(rocm_releases), std::end(rocm_releases), release) - rocm_releases);
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
    const auto* const row = driver_row(&DriverRow::module, module);
    return row == nullptr ? std::nullopt : std::optional(std::string(row->release));
}

std::optional<CarriedRocm> rocm_carried_by(std::string_view driver) {
    const auto* const row = driver_row(&DriverRow::release, driver);
    return row == nullptr ? std::nullopt
                          : std::optional(CarriedRocm{row->first_rocm, row->last_rocm});
}

std::optional<bool> carries_rocm(std::string_view driver, std::string_view rocm) {
    const auto carried = rocm_carried_by(driver);
    const auto numbers = numbers_of(rocm);
    if (!carried || numbers.size() < 2) {
        return std::nullopt;
    }
    const auto index = index_of_release(dotted(numbers[0], numbers[1]));
    if (index == std::size(rocm_releases)) {
        const auto newest = *std::rbegin(rocm_releases);
        const bool newer = compare_versions(rocm, newest).value_or(0) > 0;
        return newer && carried->last != newest ? std::optional(false) : std::nullopt;
    }
    return index >= index_of_release(carried->first) && index <= index_of_release(carried->last);
}

std::string_view why_unlisted(Unlisted of, std::string_view release) {
    const auto numbers = numbers_of(release);
    const auto minor = numbers.size() < 2 ? std::string() : dotted(numbers[0], numbers[1]);
    const auto* const found =
        std::find_if(std::begin(unlisted_rows), std::end(unlisted_rows),
                     [&](const UnlistedRow& row) { return row.of == of && row.release == minor; });
    return found == std::end(unlisted_rows) ? std::string_view() : found->why;
}

}  // namespace rocenv
