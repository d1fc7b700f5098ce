// SPDX-License-Identifier: MIT
// Which GIDs of an RDMA port jobs can use. On Ethernet: RoCE v2, mapped from an IPv4 address,
// not 0.0.0.0, and of an interface of the port's own card or one above it (a bond, a VLAN). On
// InfiniBand: one with an interface id. A GID itself is never told: it is an address.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "settings/rdma/rdma_ports.h"

namespace rocenv {

struct UsableGid {
    std::string have;    // the index ("any" on InfiniBand), or what is wrong
    std::string why;     // more of what is wrong; empty: `have` says it
    std::string step;    // empty: the setting's own
    std::string gid;     // of one that can be used
    std::string netdev;  // the interface it is of; empty: not told
};

class UsableGids {
   public:
    UsableGids(const Context& context, const TrainingPorts& training);

    // What an index of a RoCE port holds.
    Result<UsableGid> at(const RdmaPort& port, std::uint64_t index) const;
    // The first of a RoCE port that can be used. One that could not be read may be an earlier one.
    Result<UsableGid> first(const RdmaPort& port) const;
    // Any of a port of InfiniBand.
    Result<UsableGid> any(const RdmaPort& port) const;

   private:
    Result<UsableGid> judged_netdev(const RdmaPort& port, UsableGid found,
                                    std::uint64_t index) const;
    Result<std::string> other_owner(const RdmaPort& port, const std::string& netdev) const;
    Result<std::vector<std::string>> owners_below(const std::string& netdev, int depth) const;

    const Fs& fs_;
    std::map<std::string, std::string> owners_;  // of interfaces: the address of their function
    std::map<std::string, Error> unread_;        // functions whose interfaces could not be read
};

// Marks those that several ports have, unless by one interface (a bond over several NICs).
void mark_shared(std::vector<std::pair<std::string, UsableGid*>>& of_ports);

}  // namespace rocenv
