// SPDX-License-Identifier: MIT
// rocenv profile learn: this machine's present state as the text of a profile. A value is written
// only after the setting that it is for judged it: every target is as wanted or not here. What is
// not written is a comment that says why. No host name, user, serial number or network address.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"
#include "rocenv/setting.h"

namespace rocenv {

struct LearnRequest {
    std::string name = "learned";   // of the profile
    std::vector<std::string> only;  // ids or globs
    std::vector<std::string> skip;
    // Of all entries; nothing: what GPUs and links there are is required, the rest recommended.
    std::optional<Level> level;
    std::string root = "/";
};

struct LearnResult {
    std::string text;                 // TOML
    std::vector<std::string> errors;  // bad usage: exit 2, no text
};

// Under sudo the caller's limits, access and environment are left out: they are not the job's. The
// date is that of report_time().
LearnResult learn_profile(const LearnRequest& request, const Fs& machine, const Process& process);

}  // namespace rocenv
