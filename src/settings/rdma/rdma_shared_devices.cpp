// SPDX-License-Identifier: MIT
#include "settings/rdma/rdma_shared_devices.h"

#include <algorithm>

#include "settings/rdma/rdma_nics.h"

namespace rocenv {

void SharedRdmaDevices::add(const RdmaDevice& device) {
    const auto card = card_of(device.bdf);
    cards_.insert(card);
    if (device.name.find("bond") != std::string::npos) {
        named_.insert(card);
    }
    const auto bonds = bonds_of(machine_, device.bdf);
    if (!bonds) {
        unread_.emplace(card, bonds.error());
        return;
    }
    for (const auto& bond : *bonds) {
        bonds_.insert(card + bond);
    }
}

Result<bool> SharedRdmaDevices::reach(const std::string& bdf) const {
    const auto card = card_of(bdf);
    if (!cards_.contains(card)) {
        return false;
    }
    const auto bonds = bonds_of(machine_, bdf);
    if (!bonds || unread_.contains(card)) {
        return bonds ? unread_.at(card) : bonds.error();
    }
    const bool in_bond = std::any_of(bonds->begin(), bonds->end(), [&](const auto& bond) {
        return bonds_.contains(card + bond);
    });
    if (in_bond || !named_.contains(card)) {
        return in_bond;
    }
    const auto names = netdevs_of(machine_, bdf);
    return names && names->empty();
}

}  // namespace rocenv
