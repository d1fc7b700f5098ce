// SPDX-License-Identifier: MIT
#include "settings/rdma_netdev_values.h"

namespace rocenv {

std::string netdev_folder(const RdmaNetdev& netdev) {
    return pci_path(netdev.bdf) + "/net/" + netdev.name;
}

std::vector<Assessment> judge_netdevs(const Context& context, const RdmaNetdevs& netdevs,
                                      const std::string& want,
                                      const std::function<Assessment(const RdmaNetdev&)>& judge) {
    std::vector<Assessment> rows;
    for (const auto& netdev : netdevs.all) {
        const auto sleeping = context.machine.asleep(netdev.bdf);
        rows.push_back(sleeping ? unreadable({}, *sleeping, want) : judge(netdev));
        rows.back().target = {netdev.name, std::nullopt, ""};
    }
    add_unjudged(netdevs, want, rows);
    return rows;
}

}  // namespace rocenv
