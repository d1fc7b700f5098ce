// SPDX-License-Identifier: MIT
// Renderers of a comparison of many nodes. Each is a pure function of the result.
#pragma once

#include <string>

#include "fleet/fleet.h"
#include "print/style.h"

namespace rocenv {

// Returns one page for a person, whatever the number of nodes: a row for each cause, and for each
// outlier its differences. Lists are cut unless `detail` is everything. With Detail::quiet the text
// has no recommendations, and is empty if the fleet passes without outliers and splits.
std::string render_fleet_human(const FleetResult& fleet, Detail detail, Screen screen);

// Returns rocenv.fleet/1.
std::string render_fleet_json(const FleetResult& fleet);
// Returns the JSON Schema of rocenv.fleet/1.
std::string fleet_schema();

// Returns counts and a series for each node, for the textfile collector of Prometheus.
std::string render_fleet_prometheus(const FleetResult& fleet);

// Returns one file for a browser that loads no other: a table of the nodes, and each node's report.
std::string render_fleet_html(const FleetResult& fleet);

}  // namespace rocenv
