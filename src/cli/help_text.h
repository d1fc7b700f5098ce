// SPDX-License-Identifier: MIT
// The text of --help, in 80 columns.
#pragma once

#include <string>

#include "help/manual/commands.h"

namespace rocenv {

// Returns the help of the program: all commands, by group.
std::string program_help();

// Returns the help of one command: summary, usage, options by group, examples and exit statuses;
// for a group its commands.
std::string command_help(const CommandText& command);

}  // namespace rocenv
