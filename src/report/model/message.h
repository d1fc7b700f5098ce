// SPDX-License-Identifier: MIT
// What a finding says to people, as one sentence: JSON member `message`. No program compares it.
#pragma once

#include <string>

#include "rocenv/report.h"

namespace rocenv {

// Returns a sentence with the subject first, then what is, then what was expected; empty for `ok`.
// Of a dry run it says what would be changed.
std::string finding_message(const Finding& finding, DryRun dry_run = DryRun::no);

}  // namespace rocenv
