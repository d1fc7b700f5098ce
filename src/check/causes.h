// SPDX-License-Identifier: MIT
// Causes among the findings of a report (spec section 15). A GPU that does not respond explains
// unreadable values of the GPU, of the ports in its package and of its links.
#pragma once

#include <vector>

#include "rocenv/machine.h"
#include "rocenv/report.h"

namespace rocenv {

// Sets the cause of each finding that one fault of a GPU or of its driver fully explains. Adds a
// gpu.count finding for a port whose failure removed several devices. A finding with two causes
// gets none.
void add_causes(const Machine& machine, std::vector<Finding>& findings);

// Returns whether every finding that made a check end with 1 or 3 may heal. Unknown values, a
// missing driver and a link that is down may heal. A consequence heals with its cause.
bool may_heal(const Report& report);

}  // namespace rocenv
