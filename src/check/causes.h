// SPDX-License-Identifier: MIT
// Causes among the findings of a report (spec section 15). A GPU that does not respond explains
// unreadable values of the GPU, of the ports in its package and of its links.
#pragma once

#include <vector>

#include "rocenv/machine.h"
#include "rocenv/report.h"

namespace rocenv {

// Sets the cause of each finding that one fault of a GPU, of an RDMA NIC or of the GPUs' driver
// fully explains. Adds a finding gpu.count or rdma.count for a silent port above devices that have
// fallen off the bus. A finding with two causes gets none; one that has a cause keeps it.
void add_causes(const Machine& machine, std::vector<Finding>& findings);

// Returns whether every finding that made a check end with 1 or 3 may heal; false for another
// status. Unknown values, a missing driver and a link that is down may heal. A consequence heals
// with its cause.
bool may_heal(const Report& report);

}  // namespace rocenv
