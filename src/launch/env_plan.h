// SPDX-License-Identifier: MIT
// The environment a profile asks for, ready to be exported: what `rocenv env` prints and `rocenv
// run` gives to a program. Entries of level info are judged by check and not exported.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"

namespace rocenv {

// One variable: its value, or nothing where it must not be there.
struct EnvLine {
    std::string name;
    std::optional<std::string> value;
    friend bool operator==(const EnvLine&, const EnvLine&) = default;
};

enum class Origins { no, yes };

struct EnvPlan {
    std::vector<EnvLine> lines;         // sorted by name
    std::vector<std::string> profiles;  // resolved names
    std::vector<std::string> errors;    // bad usage or profile: exit 2, nothing is exported
    std::vector<std::string> warnings;
    std::vector<std::string> doubts;  // files that users other than root can change
    std::vector<std::string>
        origins;             // with Origins::yes one line for each of `lines`: who asks, and why
    bool timed_out = false;  // a profile did not answer in time
};

// `machine` should look for GPUs in KFD's list alone: a program start has no time for PCI.
EnvPlan plan_environment(const CheckRequest& request, const Machine& machine, const Fs& host,
                         const Process& process, Origins origins = Origins::no);

}  // namespace rocenv
