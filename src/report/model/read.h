// SPDX-License-Identifier: MIT
// The common reader of reports, for check --since and fleet.
#pragma once

#include "json/in.h"
#include "rocenv/report.h"

namespace rocenv {

// Reads the report at the start of the text, of any version. Absent members are empty; device names
// and other members that are not part of the JSON stay unchanged. Returns false as read_outermost()
// does.
bool read_report(JsonReading& reading, Report& into);

}  // namespace rocenv
