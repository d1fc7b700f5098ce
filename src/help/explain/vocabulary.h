// SPDX-License-Identifier: MIT
// The words of reports and the exit statuses of commands, each with its meaning.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "help/explain/explanation.h"

namespace rocenv {

// Meanings of the exit statuses of each command: the only source of these texts for --help, the
// manual and explain.

// One exit status of a command.
struct StatusMeaning {
    std::string_view command;  // "check", "profile diff"
    std::string_view status;   // "0", "128+N"
    std::string_view means;    // one clause, without a full stop
};

// Returns all meanings by command in the order of the help, and by status.
std::span<const StatusMeaning> status_meanings();

// Returns the meanings of a command: first its own, then those with an option ("check --format
// nagios"). Empty if none are listed.
std::vector<StatusMeaning> statuses_of(std::string_view command);

// Returns the meaning of a status for all commands together: "check, set: bad usage. run: …". The
// status must be that of a command.
std::string status_over_commands(std::string_view status);

// Returns the lines at the end of a command's --help: a heading, and a line or more for each
// status. Empty if none are listed.
std::string status_lines(std::string_view command);

// The words of reports and the numbers of exit statuses, each with its meaning.

// Returns the words by kind (outcome, reason, level, mark, name, finding, status), in the order of
// reports and of README.
std::span<const WordExplanation> vocabulary();

}  // namespace rocenv
