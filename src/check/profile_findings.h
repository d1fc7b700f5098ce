// SPDX-License-Identifier: MIT
// Findings about the choice of a profile, files of profiles and waivers, the lines of an
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
// Returns reason and source of profile.auto.
SettingNote auto_note();

// Returns the finding for a file below /etc/rocenv that was ignored, so its content is unknown. The
// target is the file.
Finding trust_finding(const Doubt& doubt);
// Returns reason and source of trust findings.
SettingNote trust_note();

// Returns the finding for a line of an --env-file that is ignored or not evaluated. The target is
// the line.
Finding env_file_finding(const UnreadLine& line);
// Returns reason and source of findings for lines of an --env-file.
SettingNote env_file_note();

// Returns one finding for each result file if the profile enables TunableOp without tuning and
// without recording of untuned operations. The files must then exist and fit. Otherwise returns
// none. Returns one unknown finding if the file's variable is unknown. `host` holds the files. The
// profile's file name applies unless the process sets one.
std::vector<Finding> tunable_findings(const Resolved& profile, const Machine& machine,
                                      const Fs& host, const Process& process,
                                      const Versions& versions);

}  // namespace rocenv
