// SPDX-License-Identifier: MIT
// The environment of a profile, ready to be exported: `rocenv env` prints it, and `rocenv run`
// starts a program with it. Entries of level info are judged by check and not exported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"

namespace rocenv {

// One variable with its value; std::nullopt: the variable must not be set.
struct EnvLine {
    std::string name;
    std::optional<std::string> value;
    friend bool operator==(const EnvLine&, const EnvLine&) = default;
};

// Switch for the origins of the lines.
enum class Origins { no, yes };

// The environment, or the errors.
struct EnvPlan {
    std::vector<EnvLine> lines;         // sorted by name; incomplete if there are errors
    std::vector<std::string> profiles;  // resolved names
    std::vector<std::string> errors;    // bad usage or profile: exit status 2, nothing is exported
    std::vector<std::string> warnings;
    std::vector<std::string> doubts;   // files that users other than root can change
    std::vector<std::string> origins;  // with Origins::yes: origin and reason of each line
    bool timed_out = false;            // reading a profile timed out
};

// Returns the environment of a request: the entries of its profile that --only and --skip select.
// Files are looked up on `machine`, profiles on `host`. `machine` should read only KFD's list of
// GPUs: the start of a program leaves no time for PCI.
EnvPlan plan_environment(const CheckRequest& request, const Machine& machine, const Fs& host,
                         const Process& process, Origins origins = Origins::no);

}  // namespace rocenv
