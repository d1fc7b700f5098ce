// SPDX-License-Identifier: MIT
// CPUs that belong together: threads of a core, cores of a package. Each of a group's CPUs names
// all of them, so a file of one CPU is read for each group.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

// /sys/devices/system/cpu/cpuN/topology/NAME.
std::string cpu_topology_path(std::uint32_t cpu, const char* name);

// Returns the CPUs of the group that this one is of.
using ReadCpuGroup = std::function<Result<std::vector<std::uint32_t>>(std::uint32_t cpu)>;

// Calls `read` for the first CPU of each group, in the order of `cpus`. Ends with its first error.
std::optional<Error> for_each_cpu_group(const std::vector<std::uint32_t>& cpus,
                                        const ReadCpuGroup& read);

// Returns how many groups there are.
Result<std::uint64_t> count_cpu_groups(const std::vector<std::uint32_t>& cpus,
                                       const ReadCpuGroup& read);

}  // namespace rocenv
