// SPDX-License-Identifier: MIT
// Both functions of a card that are bonded share one RDMA device, which hangs off the first (linux
// drivers/net/ethernet/mellanox/mlx5/core/lag, 6.12): their interfaces belong to one bond.
#pragma once

#include <map>
#include <set>
#include <string>

#include "machine/rdma/rdma.h"

namespace rocenv {

class SharedRdmaDevices {
   public:
    explicit SharedRdmaDevices(const Machine& machine) : machine_(machine) {}

    void add(const RdmaDevice& device);

    // Whether a function without an RDMA device has its part in one of those that were added. Where
    // it shows no interface, another network namespace has it, and the device's name tells. Errors:
    // what its interfaces, or those of the device, belong to cannot be read.
    Result<bool> reach(const std::string& bdf) const;

   private:
    const Machine& machine_;
    std::set<std::string> cards_;  // with a device
    std::set<std::string> named_;  // cards whose device is called a bond
    std::set<std::string> bonds_;  // the card, and the bond that an interface of it belongs to
    std::map<std::string, Error> unread_;  // by card
};

}  // namespace rocenv
