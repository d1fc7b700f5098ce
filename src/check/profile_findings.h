// SPDX-License-Identifier: MIT
// Findings about the choice of a profile, about the files that profiles and waivers come from, and
// about the lines of an --env-file.
#pragma once

#include "profile/profile.h"
#include "rocenv/report.h"
#include "variables/environment.h"

namespace rocenv {

// Returns the finding profile.auto: no profile fits all GPUs, or no GPU was found.
Finding auto_finding(const Assessment& row, Level level);
SettingNote auto_note();

// A file below /etc/rocenv that was ignored: what it says is not known. Its target is the file.
Finding trust_finding(const Doubt& doubt);
SettingNote trust_note();

// One line of an --env-file that is ignored or not evaluated. Its target is the line.
Finding env_file_finding(const UnreadLine& line);
SettingNote env_file_note();

}  // namespace rocenv
