// SPDX-License-Identifier: MIT
// The CPU topology, from kernel files only.
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

// Returns the topology of online CPUs. Without NUMA support, node 0 holds all CPUs. A missing file
// of siblings makes a CPU its own core or package; other unreadable lists are errors.
Result<CpuTopology> read_cpu_topology(const Fs& fs);

// CPUs that share an L3 cache.
struct L3Group {
    std::vector<std::vector<std::uint32_t>>
        cores;  // threads of each core, ordered by the first thread
};

// Returns these CPUs by L3 cache and core, in the order of the first CPU of each. Without an L3
// cache all CPUs are one group, and without siblings each CPU is a core. CPUs outside of `cpus` are
// left out.
Result<std::vector<L3Group>> l3_groups(const Fs& fs, const std::vector<std::uint32_t>& cpus);

// Returns the CPUs that this process may use, after taskset, cpusets and the batch system (linux
// fs/proc/array.c Cpus_allowed_list); never an empty list. The list is meaningless for another
// machine.
Result<std::vector<std::uint32_t>> allowed_cpus(const Fs& fs);

// Returns "AMD EPYC 9654 96-Core Processor", the model of the first CPU; std::nullopt if
// /proc/cpuinfo has none or cannot be read.
std::optional<std::string> cpu_model(const Fs& fs);

// Returns the same, printable() and cut after 80 bytes. Fails with `not_here` if the file has no
// such line.
Result<std::string> read_cpu_model(const Fs& fs);

// Returns the words of the first CPU's line in /proc/cpuinfo that begins with `key`, with key and
// ":" in front; none without such a line.
std::vector<std::string> first_cpu_words(const Fs& fs, std::string_view key);

// Returns true if the first CPU's flags contain the word hypervisor; false if they cannot be read.
bool is_guest(const Fs& fs);

// Groups of CPUs: threads of a core, cores of a package. Each CPU's file names its whole group, so
// only one file is read for each group.

// Returns /sys/devices/system/cpu/cpuN/topology/NAME.
std::string cpu_topology_path(std::uint32_t cpu, const char* name);

// A function that returns the group of a CPU.
using ReadCpuGroup = std::function<Result<std::vector<std::uint32_t>>(std::uint32_t cpu)>;

// Calls `read` for the first CPU of each group, in the order of `cpus`. Returns its first error,
// and calls it no more then.
std::optional<Error> for_each_cpu_group(const std::vector<std::uint32_t>& cpus,
                                        const ReadCpuGroup& read);

// Returns the number of groups.
Result<std::uint64_t> count_cpu_groups(const std::vector<std::uint32_t>& cpus,
                                       const ReadCpuGroup& read);

// The sockets of a node and their cores, by online CPUs (linux
// Documentation/admin-guide/cputopology.rst, 6.12). They are reported only if every file was
// readable.

// One socket.
struct Package {
    std::uint32_t id = 0;
    std::vector<std::uint32_t> cpus;
    // Returns "socket1", the name in findings.
    std::string name() const;
};

// Returns the sockets by id; reads two files for each. Fails with `garbled` if the list of a CPU
// lacks the CPU, or if an id is not a number, as where the platform has none.
Result<std::vector<Package>> read_packages_of(const Machine& machine);

// Returns the reason why a list of NUMA nodes, found missing by the caller, should exist: its
// folder does, or there are several sockets. std::nullopt if it may be missing, as with one socket.
std::optional<Error> lost_numa(const Machine& machine);

// Returns the number of cores of a socket; reads one file for each core.
Result<std::uint64_t> cores_of(const Fs& fs, const Package& package);

// CPUs that isolcpus= removes from scheduling (linux kernel/sched/isolation.c
// housekeeping_isolcpus_setup, 6.12): threads that are bound to many of them all stay on the first.

// Returns true if all CPUs near one of the GPUs are isolated, by the kernel's list or else by the
// first isolcpus=. Isolating only some of them is intentional. Fails if CPUs are isolated and the
// CPUs near a GPU cannot be read.
Result<bool> isolates_gpu(const Machine& machine, const std::vector<KernelArgument>& arguments);

}  // namespace rocenv
