// SPDX-License-Identifier: MIT
// The start of the page for people: what became of all nodes, and a row for each cause.
#pragma once

#include "fleet/fleet.h"
#include "print/document.h"

namespace rocenv {

// Adds the verdict and at most 20 rows, largest first within their word; all of them and their
// next steps with Detail::everything, no recommendations with Detail::quiet.
void add_fleet_summary(Document& document, const FleetResult& fleet, Detail detail);

}  // namespace rocenv
