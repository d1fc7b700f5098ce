// SPDX-License-Identifier: MIT
// Decides whether a node may still become as its profile expects without help, as after a boot.
#pragma once

#include "rocenv/report.h"

namespace rocenv {

// Returns true for a check that ended with 1 or 3 if everything that decides so may heal: what is
// unknown, a GPU without its driver yet, and a link that is down. A consequence heals with its
// cause.
bool may_heal(const Report& report);

}  // namespace rocenv
