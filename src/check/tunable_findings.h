// SPDX-License-Identifier: MIT
// Result files of TunableOp as findings: a file that PyTorch would discard without a word makes a
// profile that relies on it worthless.
#pragma once

#include <vector>

#include "profile/profile.h"
#include "rocenv/report.h"
#include "variables/releases/versions.h"

namespace rocenv {

// One finding for each result file, where the profile switches TunableOp on and tuning off: then
// the files must be there and fit. Else none. `host` holds the files; the profile's variables count
// where the process has none of its own.
std::vector<Finding> tunable_findings(const Resolved& profile, const Machine& machine,
                                      const Fs& host, const Process& process,
                                      const Versions& versions);

}  // namespace rocenv
