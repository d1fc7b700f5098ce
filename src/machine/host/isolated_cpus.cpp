// SPDX-License-Identifier: MIT
#include "machine/host/isolated_cpus.h"

#include <algorithm>
#include <string_view>

#include "machine/host/number_files.h"
#include "util/text.h"

namespace rocenv {

namespace {

// "[domain,][managed_irq,][nohz,]LIST". Empty: no CPU is taken out of scheduling, or which ones
// cannot be told.
std::vector<std::uint32_t> taken_out(std::string_view value) {
    bool flagged = false;
    bool domain = false;
    while (!value.empty() && value.front() >= 'a' && value.front() <= 'z') {
        const auto flag = value.substr(0, value.find(','));
        flagged = true;
        domain = domain || flag == "domain";
        value.remove_prefix(std::min(flag.size() + 1, value.size()));
    }
    auto list = parse_number_list(value);
    return list && (domain || !flagged) ? *std::move(list) : std::vector<std::uint32_t>();
}

std::vector<std::uint32_t> isolated_cpus(const std::vector<KernelArgument>& arguments) {
    std::vector<std::uint32_t> out;
    for (const auto& argument : arguments) {
        if (argument.name == "isolcpus") {  // of two the last counts
            out = taken_out(argument.value);
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

Result<bool> isolates_gpu(const Machine& machine, const std::vector<KernelArgument>& arguments) {
    const auto isolated = isolated_cpus(arguments);
    if (isolated.empty()) {
        return false;
    }
    for (const auto& gpu : machine.gpus()) {
        auto near = numbers_of_file(machine.fs(), pci_path(gpu.bdf, "/local_cpulist"));
        if (!near) {
            return near.error();
        }
        std::sort(near.value().begin(), near.value().end());
        if (!near->empty() &&
            std::includes(isolated.begin(), isolated.end(), near->begin(), near->end())) {
            return true;
        }
    }
    return false;
}

}  // namespace rocenv
