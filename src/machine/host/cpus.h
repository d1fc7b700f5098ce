// SPDX-License-Identifier: MIT
// The CPU topology from the kernel's files alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/cpu_topology.h"
#include "rocenv/fs.h"

namespace rocenv {

// Online CPUs only. Without NUMA in the kernel there is one node, 0, with everything in it.
Result<CpuTopology> read_cpu_topology(const Fs& fs);

// "AMD EPYC 9654 96-Core Processor", of the first CPU; nothing when /proc/cpuinfo does not say.
std::optional<std::string> cpu_model(const Fs& fs);

// The same, with why it could not be read. not_here: the file has no such line.
Result<std::string> read_cpu_model(const Fs& fs);

// The words of the first CPU's line in /proc/cpuinfo that begins with `key`; none without one.
std::vector<std::string> first_cpu_words(const Fs& fs, std::string_view key);

// Whether the first CPU's flags hold the word hypervisor.
bool is_guest(const Fs& fs);

}  // namespace rocenv
