// SPDX-License-Identifier: MIT
// Which of two reports of one node counts, whatever the order in which they were read.
#pragma once

#include <string>

#include "fleet/read/gather.h"

namespace rocenv {

// A whole report is better than one of part of the check, one that is not from the future than one
// that is, a newer than an older. Of two of one time the worse counts, then what their bytes say.
bool is_better(const Sweep::Node& node, const Sweep::Node& other, const FleetPools& pools);

// What a node is by the facts of its report. Empty parts are not known.
struct MachineIdentity {
    std::string product;
    std::string models;  // "MI300X"
    std::string gpus;    // how many
};
MachineIdentity identity_of(const FleetReport& report, const FleetPools& pools);

// "AS -8125GS-TNMR2, 8 x MI300X"
std::string machine_words(const MachineIdentity& machine);

}  // namespace rocenv
