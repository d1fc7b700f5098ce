// SPDX-License-Identifier: MIT
// The CPU topology from the kernel's files alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/cpu_topology.h"
#include "rocenv/fs.h"
#include "rocenv/machine.h"

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

// CPUs that belong together: threads of a core, cores of a package. Each of a group's CPUs names
// all of them, so a file of one CPU is read for each group.

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

// The sockets of a node and their cores, by the CPUs that are online (linux
// Documentation/admin-guide/cputopology.rst, 6.12). Told only where every file of it answered.

struct Package {
    std::uint32_t id = 0;
    std::vector<std::uint32_t> cpus;
    // "socket1", of which findings are told.
    std::string name() const;
};

// Returns the sockets by id; two files for each.
Result<std::vector<Package>> read_packages_of(const Machine& machine);

// Of a machine whose kernel tells no list of NUMA nodes: why there should be one. Nothing: with one
// socket a kernel may do without.
std::optional<Error> lost_numa(const Machine& machine);

// Returns how many cores a socket has; a file for each core.
Result<std::uint64_t> cores_of(const Fs& fs, const Package& package);

// CPUs that isolcpus= on the kernel line takes out of scheduling (linux kernel/sched/isolation.c
// housekeeping_isolcpus_setup, 6.12): threads that are bound to many of them all stay on the first.

// Whether no CPU near one of the GPUs is left to the scheduler. A node that isolates some of them
// was made so on purpose. An error: where a GPU is could not be read.
Result<bool> isolates_gpu(const Machine& machine, const std::vector<KernelArgument>& arguments);

}  // namespace rocenv
