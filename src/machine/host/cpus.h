// SPDX-License-Identifier: MIT
// The CPU topology from the kernel's files alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/cpu_topology.h"
#include "rocenv/fs.h"

namespace rocenv {

// Online CPUs only. Without NUMA in the kernel there is one node, 0, with everything in it.
Result<CpuTopology> read_cpu_topology(const Fs& fs);

// CPUs that share an L3 cache.
struct L3Group {
    std::vector<std::vector<std::uint32_t>> cores;  // the threads of each, by the first of them
};

// Returns these CPUs by L3 cache and core, in the order of the first CPU of each. All CPUs are one
// group if the kernel lists no L3 cache, and each CPU is a core if it lists no siblings.
Result<std::vector<L3Group>> l3_groups(const Fs& fs, const std::vector<std::uint32_t>& cpus);

// Returns the CPUs that this process may use: what taskset, cpusets and the batch system left of
// them (linux fs/proc/array.c Cpus_allowed_list). They say nothing about another machine.
Result<std::vector<std::uint32_t>> allowed_cpus(const Fs& fs);

// "AMD EPYC 9654 96-Core Processor", of the first CPU; nothing when /proc/cpuinfo does not say.
std::optional<std::string> cpu_model(const Fs& fs);

// The same, with why it could not be read. not_here: the file has no such line.
Result<std::string> read_cpu_model(const Fs& fs);

// The words of the first CPU's line in /proc/cpuinfo that begins with `key`; none without one.
std::vector<std::string> first_cpu_words(const Fs& fs, std::string_view key);

// Whether the first CPU's flags hold the word hypervisor.
bool is_guest(const Fs& fs);

}  // namespace rocenv
