// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP as a question: a command that writes has to put things back first.
#pragma once

#include <string>

namespace rocenv {

// From here on these signals are only noted; a second one changes nothing.
void catch_interruptions();
bool interrupted();

// A line for a person who waits, on stderr at once.
void say(const std::string& text);

}  // namespace rocenv
