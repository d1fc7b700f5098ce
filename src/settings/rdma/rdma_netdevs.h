// SPDX-License-Identifier: MIT
// Network interfaces that RDMA goes through: those of the functions of training ports and of
// Slingshot NICs, the bonds they belong to with all of their members, and others whose addresses
// their GIDs are of (VLANs).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "settings/rdma/rdma_ports.h"

namespace rocenv {

struct RdmaNetdev {
    std::string name;
    std::string bdf;
    bool slingshot = false;
    bool above = false;     // a bond or VLAN over interfaces of such functions
    bool enslaved = false;  // has no addresses of its own: its bond has them
    bool lower = false;  // found as a member of such a bond, of a function without an RDMA device
    // Returns the interface's folder.
    std::string folder() const;
};

struct RdmaNetdevs {
    std::vector<RdmaNetdev> all;    // by address and name, then those above
    std::vector<UnreadNic> unread;  // whether and which there are could not be found out
    std::string nobody;             // why it is fine that there are none; empty: it is not
};

// Ports of InfiniBand have none that matters: RDMA does not go through it.
RdmaNetdevs rdma_netdevs(const Context& context, const TrainingPorts& training);

// As add_unjudged(), of interfaces.
void add_unjudged(const RdmaNetdevs& netdevs, const std::string& want,
                  std::vector<Assessment>& rows);

// Returns what `judge` says of each interface that has a link of its own, and what could not be
// looked at. An interface whose function sleeps is not touched.
std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& want,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge);

}  // namespace rocenv
