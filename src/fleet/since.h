// SPDX-License-Identifier: MIT
// Two sweeps of the same nodes: what is new, gone, changed, and counted since.
#pragma once

#include "fleet/baseline.h"
#include "fleet/gather.h"
#include "fleet/presence.h"

namespace rocenv {

FleetSince compared_with(const Sweep& then, const std::string& folder,
                         const std::vector<FleetNode>& now, const FleetPools& pools,
                         const FactPlaces& places, const FindingPlaces& finding_places);

}  // namespace rocenv
