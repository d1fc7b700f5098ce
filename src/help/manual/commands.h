// SPDX-License-Identifier: MIT
// Commands and their options as texts: what the option tree offers, for the help, for the manual
// and for completing command lines.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

struct OptionText {
    std::vector<std::string> names;  // "-p", "--profile"; of an argument by place one: "PROFILE"
    std::string value;               // "PROFILE", "human|json"; empty: takes none
    std::string summary;             // with its default, "Use colour [default: auto]"
    std::string group;               // the heading above it in the help: "Output"
    bool by_place = false;
    bool required = false;
    bool repeats = false;         // may be given several times, or takes several
    int exactly = 1;              // how many arguments, where that is fixed
    bool value_may_miss = false;  // a flag that may carry its value behind "="
};

struct ExampleText {
    std::string line;  // "rocenv check --strict"
    std::string does;  // what it does, in a few words
};

struct CommandText {
    std::string name;  // "check", "profile show"
    std::string summary;
    std::string group;      // the heading above it in the help of the program: "Check"
    std::string footer;     // further sentences of its help; may be empty
    bool is_group = false;  // it only holds commands: "profile"
    bool programs = false;  // what follows "--" is a program and its arguments
    std::vector<OptionText> options;
    std::vector<ExampleText> examples;
};

// Returns "rocenv profile diff [OPTIONS] PROFILE PROFILE".
std::string usage_of(const CommandText& command);

// Returns "-p, --profile PROFILE".
std::string term_of(const OptionText& option);

}  // namespace rocenv
