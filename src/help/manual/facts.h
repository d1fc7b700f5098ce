// SPDX-License-Identifier: MIT
// The parts of pages that are made of facts: each from where the program itself has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/manual/commands.h"
#include "help/manual/page.h"

namespace rocenv {

// "rocenv profile diff [OPTION...] profile...".
std::string usage_of(const CommandText& command);
std::vector<Block> option_blocks(const CommandText& command);
// What a command does; `titled` with its name above.
std::vector<Block> footer_blocks(const CommandText& command, bool titled);
// Of a command, and of it with an option ("check --format nagios").
std::vector<Block> status_blocks(std::string_view command);

std::vector<Block> all_setting_blocks();
std::vector<Block> all_variable_blocks();
// The keys of profiles, sites' files and waivers.
std::vector<Block> key_blocks();
// Shipped profiles.
std::vector<Block> profile_blocks();

// What is known of one setting, variable or shipped profile; empty: nothing has that name.
std::vector<Block> entry_blocks(const std::string& name);
// All names that entry_blocks() knows.
std::vector<std::string> entry_names();

}  // namespace rocenv
