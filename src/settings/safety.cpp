// SPDX-License-Identifier: MIT
#include "settings/safety.h"

#include <algorithm>

#include "machine/pci/pci.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_named = 16;

// Returns the first word of a function's file; empty if it is unreadable.
std::string word_in(const Fs& fs, const std::string& bdf, const char* file) {
    const auto text = fs.read(pci_path(bdf) + "/" + file);
    return text ? std::string(trim(*text)) : std::string();
}

std::optional<std::string> needs_isolation(const Fs& fs, const std::string& bdf) {
    if (parse_number(word_in(fs, bdf, "sriov_numvfs")).value_or(0) > 0) {
        return bdf + " has virtual functions that SR-IOV isolates";
    }
    const std::string type = word_in(fs, bdf, "iommu_group/type");
    if (type == "DMA" || type == "DMA-FQ") {
        return bdf + " is in an IOMMU group of type " + type + ", which provides isolation";
    }
    const bool external = word_in(fs, bdf, "removable") == "removable" ||
                          word_in(fs, bdf, "untrusted") == "1" ||
                          word_in(fs, bdf, "external_facing") == "1";
    return external ? std::optional(bdf + " is external or not trusted") : std::nullopt;
}

}  // namespace

const std::string& kfd_process_folder() {
    static const std::string folder = "/sys/class/kfd/kfd/proc";
    return folder;
}

std::string processes_text(const std::vector<std::string>& ids) {
    if (ids.empty()) {
        return "";
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(ids.size(), most_named));
    const std::vector<std::string> first(ids.begin(), ids.begin() + shown);
    return "process ids on the host: " + join(first, ", ") +
           (ids.size() > most_named ? " and more" : "");
}

std::optional<std::string> gpu_in_use(const Machine& machine) {
    auto ids = machine.fs().list(kfd_process_folder());
    if (!ids) {
        return std::nullopt;
    }
    std::erase_if(ids.value(), [](const std::string& name) { return !parse_number(name); });
    return ids->empty() ? std::nullopt : std::optional("a GPU is in use; " + processes_text(*ids));
}

std::optional<std::string> isolation_needed(const Machine& machine, const std::string& bdf) {
    if (machine.in_guest()) {
        return "this is a guest, and its host decides about isolation";
    }
    if (const auto& function = machine.guest_function()) {
        return *function + " is bound to " + printable(*machine.reader_of(*function).driver(), 40) +
               ", so a guest or program relies on isolation";
    }
    if (auto why = needs_isolation(machine.fs(), bdf)) {
        return why;
    }
    for (const auto& function : machine.functions_below(bdf)) {
        if (auto why = needs_isolation(machine.fs(), function)) {
            return why;
        }
    }
    return std::nullopt;
}

}  // namespace rocenv
