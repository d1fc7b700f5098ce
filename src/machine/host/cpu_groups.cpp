// SPDX-License-Identifier: MIT
#include "machine/host/cpu_groups.h"

#include <set>

#include "util/text.h"

namespace rocenv {

std::string cpu_topology_path(std::uint32_t cpu, const char* name) {
    return "/sys/devices/system/cpu/cpu" + number(cpu) + "/topology/" + name;
}

std::optional<Error> for_each_cpu_group(const std::vector<std::uint32_t>& cpus,
                                        const ReadCpuGroup& read) {
    std::set<std::uint32_t> seen;
    for (const auto cpu : cpus) {
        if (!seen.insert(cpu).second) {
            continue;
        }
        const auto group = read(cpu);
        if (!group) {
            return group.error();
        }
        seen.insert(group->begin(), group->end());
    }
    return std::nullopt;
}

Result<std::uint64_t> count_cpu_groups(const std::vector<std::uint32_t>& cpus,
                                       const ReadCpuGroup& read) {
    std::uint64_t groups = 0;
    const auto failed = for_each_cpu_group(cpus, [&](std::uint32_t cpu) {
        ++groups;
        return read(cpu);
    });
    return failed ? Result<std::uint64_t>(*failed) : groups;
}

}  // namespace rocenv
