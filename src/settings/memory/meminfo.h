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

// Functions on /proc/meminfo, on NUMA nodes with CPUs and on the kind of memory.

// Returns the KiB of the first line of a name such as "MemTotal"; std::nullopt if the kernel has no
// such line. Fails with `garbled` if the file has no MemTotal or the line no number of kB.
Result<std::optional<std::uint64_t>> meminfo_kib(const Fs& fs, const std::string& path,
                                                 std::string_view name);

// Returns MemTotal of /proc/meminfo in bytes. Fails with `garbled` if it is 0.
Result<std::uint64_t> memory_bytes(const Fs& fs);

// Returns the numbers of online NUMA nodes with CPUs. Fails with `not_here` if the kernel has no
// NUMA support, and with `garbled` if a node lacks its list of CPUs.
Result<std::vector<std::uint32_t>> nodes_with_cpus(const Fs& fs);

// Returns bytes as text for people, from KiB to TiB with one decimal, rounded down: "2.2 TiB",
// "512.0 MiB".
std::string bytes_text(std::uint64_t bytes);

// Returns true if a GPU is an APU: the memory is its HBM, so that no DIMM can be the cause.
bool has_stacked_memory(const Machine& machine);

// Replaces the next step of differing rows by `step` if the memory is HBM.
void mind_stacked_memory(const Machine& machine, std::string_view step,
                         std::vector<Assessment>& rows);

}  // namespace rocenv
