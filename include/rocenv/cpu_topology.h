// SPDX-License-Identifier: MIT
// The CPU topology of a node: packages, cores, and NUMA nodes with their memory. hwloc reports the
// topology; without hwloc the kernel's files give the same data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocenv {

// One CPU package (socket).
struct CpuPackage {
    std::uint32_t id = 0;             // physical_package_id
    std::vector<std::uint32_t> cpus;  // ascending
    std::uint64_t cores = 0;
};

// One NUMA node.
struct NumaNode {
    std::uint32_t node = 0;                     // Linux's number
    std::vector<std::uint32_t> cpus;            // empty: memory only
    std::optional<std::uint64_t> memory_bytes;  // std::nullopt: unknown
    std::optional<std::uint32_t> package;       // std::nullopt: no package, or several
};

// The packages, NUMA nodes, cores and threads of a node.
struct CpuTopology {
    std::string source;  // "hwloc 2.9.0" or "kernel files"
    std::optional<std::string> model;
    std::vector<CpuPackage> packages;  // by id
    std::vector<NumaNode> numa;        // by node
    std::uint64_t cores = 0;
    std::uint64_t threads = 0;

    // Sets the package of each NUMA node whose CPUs are all in one package. Requires ascending CPUs
    // in both; other nodes keep their package.
    void join_nodes() {
        for (auto& node : numa) {
            for (const auto& package : packages) {
                if (!node.cpus.empty() && std::includes(package.cpus.begin(), package.cpus.end(),
                                                        node.cpus.begin(), node.cpus.end())) {
                    node.package = package.id;
                }
            }
        }
    }

    // Returns the threads of each core. std::nullopt without cores, or if the threads are not a
    // multiple of the cores because only some have a second thread.
    std::optional<std::uint64_t> threads_per_core() const {
        return cores == 0 || threads % cores != 0 ? std::nullopt : std::optional(threads / cores);
    }
};

}  // namespace rocenv
