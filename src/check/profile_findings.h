// SPDX-License-Identifier: MIT
// Findings about the choice of a profile, the files of profiles and waivers, the lines of an
// --env-file, and the result files of TunableOp.
#pragma once

#include <vector>

#include "profile/profile.h"
#include "rocenv/report.h"
#include "variables/environment.h"
#include "variables/releases/versions.h"

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

// One finding for each result file, where the profile switches TunableOp on and tuning off: then
// the files must be there and fit. Else none. `host` holds the files; the profile's variables count
// where the process has none of its own.
std::vector<Finding> tunable_findings(const Resolved& profile, const Machine& machine,
                                      const Fs& host, const Process& process,
                                      const Versions& versions);

}  // namespace rocenv
