// SPDX-License-Identifier: MIT
// Texts of each command for its help: a summary, sentences and examples. The options are in
// options.cpp, the exit statuses in help/explain/vocabulary.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "help/manual/commands.h"

namespace rocenv {

// A command line and its purpose.
struct CommandExample {
    std::string_view line;
    std::string_view does;
};

// The texts of one command.
struct CommandRow {
    std::string_view name;     // "check", "profile show"
    std::string_view group;    // group in the program's help: "Check"; empty for second words
    std::string_view summary;  // an imperative sentence without a full stop
    std::span<const CommandExample> examples;
    std::string_view notes = {};  // sentences that no option contains
};

// Returns the rows in the order of the program's help. A command of a group follows its group.
std::span<const CommandRow> command_rows();

// Returns the row of a command. The name must be that of a row.
const CommandRow& command_row(std::string_view name);

// Returns whether the word is a command with further ones below it: "profile".
bool is_command_group(std::string_view word);

// Returns the help of the program: the commands of each group, without those of two words.
std::string program_help();

// Returns the help of one command: summary, usage, options by group, examples and exit statuses.
// The help of a group lists its commands.
std::string command_help(const CommandText& command);

}  // namespace rocenv
