// SPDX-License-Identifier: MIT
// The one reader of reports, for check --since and fleet.
#pragma once

#include "json/in.h"
#include "rocenv/report.h"

namespace rocenv {

// Reads the report that the text begins with, of any version. The members that are not there are
// empty; device names and what else is no JSON are left as they are.
bool read_report(JsonReading& reading, Report& into);

}  // namespace rocenv
