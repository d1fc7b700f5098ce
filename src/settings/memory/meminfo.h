// SPDX-License-Identifier: MIT
// Lines of /proc/meminfo and of a NUMA node's meminfo (linux fs/proc/meminfo.c, drivers/base/node.c
// node_read_meminfo); and the settings memory.total, memory.balance, memory.hugepages and
// memory.swap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Lines of /proc/meminfo and of a NUMA node's meminfo (linux fs/proc/meminfo.c, drivers/base/node.c
// node_read_meminfo), the NUMA nodes that have CPUs, and what the memory is made of.

// Returns the KiB that a line states, "MemTotal"; nothing where the kernel has no such line.
// garbled: the file has no MemTotal, or the line no number of kB.
Result<std::optional<std::uint64_t>> meminfo_kib(const Fs& fs, const std::string& path,
                                                 std::string_view name);

// Returns the bytes of MemTotal in /proc/meminfo.
Result<std::uint64_t> memory_bytes(const Fs& fs);

// Returns the numbers of the NUMA nodes that have CPUs. not_here: the kernel knows no NUMA.
Result<std::vector<std::uint32_t>> nodes_with_cpus(const Fs& fs);

// "2.2 TiB", "512 MiB": for people, beside the number itself.
std::string bytes_told(std::uint64_t bytes);

// Whether the node's memory is the HBM of its APUs, so that no DIMM can be the cause.
bool has_stacked_memory(const Machine& machine);

// Gives those that differ another next step where it is.
void mind_stacked_memory(const Machine& machine, std::string_view step,
                         std::vector<Assessment>& rows);

}  // namespace rocenv
