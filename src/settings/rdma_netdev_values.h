// SPDX-License-Identifier: MIT
// Settings that judge the network interface of each RDMA NIC: net.link, net.mtu, net.flaps.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "settings/rdma_ports.h"

namespace rocenv {

// Folder of an interface, below its PCI function.
std::string netdev_folder(const RdmaNetdev& netdev);

// Returns what `judge` says of each interface, and what could not be looked at. An interface whose
// function sleeps is not touched.
std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& want,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge);

}  // namespace rocenv
