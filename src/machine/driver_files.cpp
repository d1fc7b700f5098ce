// SPDX-License-Identifier: MIT
#include "machine/driver_files.h"

#include "util/text.h"

namespace rocenv {

namespace {

std::optional<std::string> word_of(const Fs& fs, const std::string& path) {
    const auto text = fs.read(path);
    const auto word = text ? trim(*text) : std::string_view();
    return word.empty() ? std::nullopt : std::optional(printable(word, 40));
}

}  // namespace

std::optional<std::string> driver_version(const Fs& fs) {
    return word_of(fs, "/sys/module/amdgpu/version");
}

std::optional<std::uint32_t> pci_revision(const Fs& fs, const std::string& bdf) {
    const auto word = word_of(fs, pci_path(bdf) + "/revision");
    const auto value =
        word && word->starts_with("0x") ? parse_number(word->substr(2), 16) : std::nullopt;
    return value && *value <= 0xff ? std::optional(static_cast<std::uint32_t>(*value))
                                   : std::nullopt;
}

std::optional<std::string> compute_partition(const Fs& fs, const std::string& bdf) {
    return word_of(fs, pci_path(bdf) + "/current_compute_partition");
}

std::optional<std::string> memory_partition(const Fs& fs, const std::string& bdf) {
    return word_of(fs, pci_path(bdf) + "/current_memory_partition");
}

}  // namespace rocenv
