// SPDX-License-Identifier: MIT
#include "settings/kernel/iommu_groups.h"

#include <algorithm>
#include <string_view>

#include "machine/pci/pcie_path.h"
#include "os/redact/redact_words.h"
#include "util/text.h"

namespace rocenv {

const std::string& iommu_groups_folder() {
    static const std::string folder = "/sys/kernel/iommu_groups";
    return folder;
}

Result<std::string> iommu_treatment(const Fs& fs, const std::string& bdf) {
    const std::string group = pci_path(bdf, "/iommu_group");
    const auto text = fs.read(group + "/type");
    if (!text) {
        const bool no_group =
            text.is(ErrorKind::not_here) && exists(fs, pci_path(bdf)) && !exists(fs, group);
        return no_group ? Result(std::string("off")) : text.error();
    }
    const auto type = trim(*text);
    if (type == "identity") {
        return std::string("passthrough");
    }
    if (type == "DMA" || type == "DMA-FQ") {
        return std::string("translated");
    }
    return type == "blocked" || type == "unmanaged"
               ? Result(std::string(type))
               : garbled(group + "/type", "is not a valid type: " + quoted_value(type));
}

bool passes_all_through(const Machine& machine) {
    const auto ends = path_ends(machine);
    return !ends.uncertain && !ends.functions.empty() &&
           std::all_of(ends.functions.begin(), ends.functions.end(), [&](const std::string& bdf) {
               const auto word = iommu_treatment(machine.fs(), bdf);
               return word && *word == "passthrough";
           });
}

}  // namespace rocenv
