// SPDX-License-Identifier: MIT
// A report tells no MAC and no GUID, also where the name of an interface or RDMA device holds it.
#pragma once

#include "rocenv/machine.h"
#include "rocenv/report.h"

namespace rocenv {

// Tells such names by their PCI address, in findings and notes; facts have been told so already.
void hide_named_addresses(const Machine& machine, Report& report);

}  // namespace rocenv
