// SPDX-License-Identifier: MIT
// GIDs of an RDMA port: the addresses that it has, and the network interfaces they are of.
// Attributes of an index without a GID give EINVAL (linux drivers/infiniband/core/sysfs.c
// _show_port_gid_attr, 6.12), so GIDs are read first.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "machine/rdma/rdma.h"

namespace rocenv {

constexpr std::uint64_t most_gids = 256;

// Returns the indices of a port, ascending.
Result<std::vector<std::uint64_t>> gid_indices(const Fs& fs, const RdmaPort& port);

// Returns the GID at an index; empty: there is none. Where an index is unused the file gives zeros,
// or an error on old kernels (acceptance of 2026-08: unverified which).
Result<std::string> gid_at(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the interface that the GID at an index is of; empty: the kernel names none.
Result<std::string> gid_netdev(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the type of an index that has a GID: "RoCE v2", "IB/RoCE v1".
Result<std::string> gid_type_at(const Fs& fs, const RdmaPort& port, std::uint64_t index);

// Returns the types that a port's GIDs are of.
Result<std::set<std::string>> gid_types(const Fs& fs, const RdmaPort& port);

// Returns the interfaces that a port's GIDs are of.
Result<std::set<std::string>> gid_netdevs(const Fs& fs, const RdmaPort& port);

}  // namespace rocenv
