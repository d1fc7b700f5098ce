// SPDX-License-Identifier: MIT
// Nodes of a fleet by cause: the first part of the page.
#pragma once

#include <vector>

#include "fleet/fleet.h"
#include "fleet/read/pools.h"

namespace rocenv {

// Returns the rows by kind, most nodes first. Requires complete groups, and the rows of the pools.
// Rows are formed by ids, outcomes, codes and values; prose only describes them. Findings of level
// info, or with a cause in the same report, make no row.
std::vector<FleetRow> fleet_rows(const FleetResult& fleet, const FleetPools& pools);

}  // namespace rocenv
