// SPDX-License-Identifier: MIT
// rocenv check: profile and machine to report. Writes nothing, anywhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/request.h"
#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/report.h"

namespace rocenv {

struct CheckResult {
    Report report;
    std::vector<std::string> errors;    // bad usage or profile: exit 2, the report says nothing
    std::vector<std::string> warnings;  // of profiles
    std::vector<std::string> doubts;    // those of `warnings` about files that others can change
    bool timed_out = false;             // a profile did not answer in time: exit 3
};

// Judges the machine, and unless told otherwise the calling process, by the profiles asked for.
// Never waits for what does not answer: that is `unknown`. Without errors the report has an exit
// code.
CheckResult check(const CheckRequest& request, const Fs& machine, const Fs& host,
                  const Process& process);

}  // namespace rocenv
