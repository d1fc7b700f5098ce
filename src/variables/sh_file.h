// SPDX-License-Identifier: MIT
// Reader of a shell script's assignments, which does not run the script.
#pragma once

#include <string>
#include <string_view>

#include "variables/environment.h"

namespace rocenv {

// Reads "[export] NAME=WORD ..." with comments, quotes, backslashes and continued lines (POSIX.1
// XCU 2.2 to 2.10, 2024; bash(1) 5.2). It expands nothing: a word with "$", a backquote, a glob,
// "~" or a brace leaves its variable unknown, and so does every other statement that names it.
// Conditions, loops, functions and the lines after a return, exit or exec are not evaluated. A
// `source` and its like may set any variable that the file does not set, and so may a statement
// with a quote that is not closed. Never fails: lines that are not evaluated are in `unread`.
GivenEnvironment parse_sh_file(const std::string& file, std::string_view text);

}  // namespace rocenv
