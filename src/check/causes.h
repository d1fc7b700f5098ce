// SPDX-License-Identifier: MIT
// Causes among the findings of a report (spec section 15): a GPU that does not respond explains
// what could not be read of it, of the ports in its package and of its links.
#pragma once

#include <vector>

#include "rocenv/machine.h"
#include "rocenv/report.h"

namespace rocenv {

// Names the cause of each finding that one fault of a GPU or of its driver explains wholly. Adds a
// gpu.count finding for a port that took several devices away. A finding with two causes has none.
void add_causes(const Machine& machine, std::vector<Finding>& findings);

// Returns true for a check that ended with 1 or 3 if everything that decides so may heal: what is
// unknown, a GPU without its driver yet, and a link that is down. A consequence heals with its
// cause.
bool may_heal(const Report& report);

}  // namespace rocenv
