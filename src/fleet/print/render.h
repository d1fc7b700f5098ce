// SPDX-License-Identifier: MIT
// What many nodes say together, as text. Each is a pure function of the result.
#pragma once

#include <string>

#include "fleet/fleet.h"
#include "print/style.h"

namespace rocenv {

// One page for a person, whatever number of nodes: a line a fold, those that stand out with what
// differs.
std::string render_fleet_human(const FleetResult& fleet, Detail detail, Colour colour);

// schema: fleet.schema.json
std::string render_fleet_json(const FleetResult& fleet);

// For the textfile collector of Prometheus: counts, and a series a node.
std::string render_fleet_prometheus(const FleetResult& fleet);

// One file for a browser, which asks nobody for anything: a table of the nodes, and each node's
// report.
std::string render_fleet_html(const FleetResult& fleet);

}  // namespace rocenv
