// SPDX-License-Identifier: MIT
// Names that do not name one node each.
#pragma once

#include "fleet/read/gather.h"

namespace rocenv {

// Warns of a name that several machines go by: their boots overlap, or are less than a minute
// apart. Then nothing is said to be as wanted, since only one of them counts. Warns of names that
// differ in case or domain only, too.
void warn_of_names(const Sweep& sweep, FleetResult& out);

}  // namespace rocenv
