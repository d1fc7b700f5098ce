// SPDX-License-Identifier: MIT
// Nodes of a fleet by cause: the first part of the page.
#pragma once

#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

// Returns the rows of a fleet whose groups are complete. Rows are formed by ids, outcomes, codes
// and values; prose only describes them.
std::vector<FleetRow> fleet_rows(const FleetResult& fleet, const FleetPools& pools);

}  // namespace rocenv
