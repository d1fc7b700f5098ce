// SPDX-License-Identifier: MIT
// rocenv check: turns a profile and a machine into a report. Writes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/report.h"

namespace rocenv {

// The result of a check.
struct CheckResult {
    Report report;
    std::vector<std::string> errors;    // bad usage or profile: exit status 2, the report is empty
    std::vector<std::string> warnings;  // remarks on profiles
    std::vector<std::string> doubts;    // the `warnings` about files that others can change
    bool timed_out = false;             // reading a profile timed out: exit status 3
};

// Judges the machine, and by default the calling process, by the requested profiles. A read that
// times out is `unknown`. Without errors the report has an exit code.
CheckResult check(const CheckRequest& request, const Fs& machine, const Fs& host,
                  const Process& process);

}  // namespace rocenv
