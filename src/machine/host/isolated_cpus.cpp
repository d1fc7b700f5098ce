// SPDX-License-Identifier: MIT
#include "machine/host/isolated_cpus.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "machine/host/number_files.h"
#include "util/text.h"

namespace rocenv {

namespace {

// One part of a list: "8", "1-95", "1-N", or "0-95:2/4", the first 2 of each 4 (linux
// lib/bitmap-str.c bitmap_parselist, 6.12). False: it is none.
bool add_part(std::string_view part, std::uint32_t last_cpu, std::vector<std::uint32_t>& out) {
    const auto number_in = [&](std::string_view text) {
        return text == "N" ? std::optional<std::uint64_t>(last_cpu) : parse_number(text);
    };
    const auto range = part.substr(0, part.find(':'));
    const auto dash = range.find('-');
    const auto first = number_in(range.substr(0, dash));
    const auto last = dash == range.npos ? first : number_in(range.substr(dash + 1));
    const auto pattern = range.size() < part.size() ? part.substr(range.size() + 1) : "1/1";
    const auto slash = pattern.find('/');
    const auto used = parse_number(pattern.substr(0, slash));
    const auto group =
        slash == pattern.npos ? std::nullopt : parse_number(pattern.substr(slash + 1));
    if (!first || !last || !used || !group || *group == 0) {
        return false;
    }
    for (auto cpu = *first; cpu <= std::min<std::uint64_t>(*last, last_cpu); ++cpu) {
        if ((cpu - *first) % *group < *used) {
            out.push_back(static_cast<std::uint32_t>(cpu));
        }
    }
    return true;
}

// "[domain,][managed_irq,][nohz,]LIST". Empty: no CPU is taken out of scheduling, or the list
// cannot be read.
std::vector<std::uint32_t> taken_out(std::string_view value, std::uint32_t last_cpu) {
    bool flagged = false;
    bool domain = false;
    while (!value.empty() && value.front() >= 'a' && value.front() <= 'z') {
        const auto flag = value.substr(0, value.find(','));
        flagged = true;
        domain = domain || flag == "domain";
        value.remove_prefix(std::min(flag.size() + 1, value.size()));
    }
    std::vector<std::uint32_t> out;
    const auto parts = split(value, ',');
    const bool good = std::all_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return add_part(part, last_cpu, out);
    });
    return good && (domain || !flagged) ? out : std::vector<std::uint32_t>();
}

// Returns the CPUs that the kernel lists as isolated; without a list those of the first isolcpus=.
std::vector<std::uint32_t> isolated_cpus(const Machine& machine,
                                         const std::vector<KernelArgument>& arguments) {
    auto listed = numbers_of_file(machine.fs(), "/sys/devices/system/cpu/isolated");
    if (listed) {
        return *std::move(listed);
    }
    const auto found =
        std::find_if(arguments.begin(), arguments.end(),
                     [](const KernelArgument& argument) { return argument.name == "isolcpus"; });
    const auto online = machine.online_cpus();
    const auto last_cpu = online ? *std::max_element(online->begin(), online->end()) : 8191U;
    return found == arguments.end() ? std::vector<std::uint32_t>()
                                    : taken_out(found->value, last_cpu);
}

}  // namespace

Result<bool> isolates_gpu(const Machine& machine, const std::vector<KernelArgument>& arguments) {
    auto isolated = isolated_cpus(machine, arguments);
    std::sort(isolated.begin(), isolated.end());
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
