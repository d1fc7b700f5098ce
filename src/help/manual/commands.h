// SPDX-License-Identifier: MIT
// Commands and their options as texts: what the option tree offers, for the manual and for
// completing command lines.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

struct OptionText {
    std::vector<std::string> names;  // "-p", "--profile"; of an argument by place one: "profile"
    std::string value;               // "PROFILE", "human|json"; empty: takes none
    std::string summary;
    bool by_place = false;
    bool required = false;
    bool repeats = false;         // may be given several times, or takes several
    bool value_may_miss = false;  // a flag that may carry its value behind "="
};

struct CommandText {
    std::string name;  // "check", "profile show"
    std::string summary;
    std::string footer;     // what else its help says, as lines; may be empty
    bool is_group = false;  // it only holds commands: "profile"
    bool programs = false;  // what follows "--" is a program and its arguments
    std::vector<OptionText> options;
};

}  // namespace rocenv
