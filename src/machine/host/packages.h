// SPDX-License-Identifier: MIT
// The sockets of a node and their cores, by the CPUs that are online (linux
// Documentation/admin-guide/cputopology.rst, 6.12). Told only where every file of it answered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocenv/machine.h"

namespace rocenv {

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

}  // namespace rocenv
