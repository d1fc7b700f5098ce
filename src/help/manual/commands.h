// SPDX-License-Identifier: MIT
// Commands and their options as texts: the option tree for the help, the manual and the completion
// of command lines.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

// One option or argument.
struct OptionText {
    std::vector<std::string> names;  // "-p", "--profile"; for a positional argument: "PROFILE"
    std::string value;               // "PROFILE", "human|json"; empty: has no value
    std::string summary;             // with its default, "Use colour [default: auto]"
    std::string group;               // heading in the help: "Output"
    bool is_positional = false;
    bool required = false;
    bool repeats = false;         // may be given several times, or has several values
    int exactly = 1;              // number of arguments, if fixed
    bool value_may_miss = false;  // a flag with an optional value after "="
};

// A command line with its purpose.
struct ExampleText {
    std::string line;  // "rocenv check --strict"
    std::string does;  // purpose, in a few words
};

// One command with its options.
struct CommandText {
    std::string name;  // "check", "profile show"
    std::string summary;
    std::string group;      // heading in the program's help: "Check"
    std::string footer;     // further sentences of the help; may be empty
    bool is_group = false;  // contains commands only: "profile"
    bool programs = false;  // a program and its arguments follow "--"
    std::vector<OptionText> options;
    std::vector<ExampleText> examples;
};

// Returns the usage of a command with its arguments: "rocenv profile diff [OPTIONS] PROFILE
// PROFILE"; of a group "rocenv profile COMMAND [OPTIONS]".
std::string usage_of(const CommandText& command);

// Returns the names and the value of an option: "-p, --profile PROFILE", "--check[=warn]".
std::string term_of(const OptionText& option);

}  // namespace rocenv
