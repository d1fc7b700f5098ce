// SPDX-License-Identifier: MIT
// The words of reports and the exit statuses of commands, each with what it means.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "help/explain/explanation.h"

namespace rocenv {

// Meanings of the exit statuses of each command: the only source of these texts for --help, the
// manual and explain.

struct StatusMeaning {
    std::string_view command;  // "check", "profile diff"
    std::string_view status;   // "0", "128+N"
    std::string_view means;    // one clause, without a full stop
};

// By command, in the order of the help; each command's by status.
std::span<const StatusMeaning> status_meanings();

// Those of a command: first its own, then those of it with an option ("check --format nagios").
std::vector<StatusMeaning> statuses_of(std::string_view command);

// "check, set: bad usage. run: …": what a status means, of all commands together.
std::string status_over_commands(std::string_view status);

// The same for the end of a command's --help: a heading, and a line or more for each status. Empty:
// none are listed.
std::string status_lines(std::string_view command);

// The words of reports and the numbers of exit statuses, each with what it means.

// By kind (outcome, reason, level, status, mark), in the order in which reports and README have
// them.
std::span<const WordExplanation> vocabulary();

}  // namespace rocenv
