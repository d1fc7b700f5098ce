// SPDX-License-Identifier: MIT
// Starts the program of `rocenv run`: in this process' place, or as a child that is looked after.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "launch/env_plan.h"
#include "rocenv/result.h"

namespace rocenv {

// Whom the program runs as.
struct RunAs {
    uid_t user = 0;
    gid_t group = 0;
    std::vector<gid_t> groups;  // supplementary
    std::string name;           // for HOME, USER and LOGNAME; empty: no such entry, they stay
    std::string home;
};

struct ProgramStart {
    std::vector<std::string> command;      // not empty
    std::vector<std::string> environment;  // "NAME=VALUE"
    std::optional<RunAs> as;               // nothing: as the caller
};

// "USER[:GROUP]", each a name or a number. bad_input: there is no such user or group.
Result<RunAs> find_user(const std::string& user_and_group);

// The caller's environment, byte for byte and in its order, with these lines over it.
std::vector<std::string> environment_with(const std::vector<EnvLine>& lines);

// What did not start, and why: 126 found but cannot be started, 127 not found, 125 rocenv's own.
struct NotStarted {
    int exit_code;
    std::string text;
};

// Becomes the program (execve); comes back only when it did not start. A name without '/' is looked
// for in the PATH of its own environment.
NotStarted become(const ProgramStart& start);

enum class AsInit { no, yes };

// Starts the program as a child and waits for its end. Signals that arrive here are passed on to
// it, but for those of the terminal's keys, which it has got already; when it stops, this process
// stops, too. AsInit::yes: children that lost their parent are reaped. The exit status is the
// program's, 128 and the signal's number when one ended it, or that of NotStarted with a line on
// stderr (125 when interrupted() before). All signals stay blocked afterwards.
int start_and_wait(const ProgramStart& start, AsInit init);

}  // namespace rocenv
