// SPDX-License-Identifier: MIT
#include "machine/gpu/driver_files.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

std::optional<std::string> word_of(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    const auto word = text ? trim(*text) : std::string_view();
    return word.empty() ? std::nullopt : std::optional(printable(word, 40));
}

// "SPX", "NPS1".
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

}  // namespace rocenv
