// SPDX-License-Identifier: MIT
// Starts the program of `rocenv run`: by replacing this process, or as a supervised child.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "launch/env_plan.h"
#include "rocenv/result.h"

namespace rocenv {

// The user that the program runs as.
struct RunAs {
    uid_t user = 0;
    gid_t group = 0;
    std::vector<gid_t> groups;  // supplementary groups
    std::string name;           // for HOME, USER and LOGNAME; empty: no entry for this user
    std::string home;
};

// A program with its environment.
struct ProgramStart {
    std::vector<std::string> command;      // not empty
    std::vector<std::string> environment;  // "NAME=VALUE"
    std::optional<RunAs> as;               // std::nullopt: the calling user
};

// Returns the ids of "USER[:GROUP]", each a name or a number. Fails with bad_input for an unknown
// name. A number without an entry is accepted: its group has the same number, and its home is "/".
// The supplementary groups are those of the user, and the group itself.
Result<RunAs> find_user(const std::string& user_and_group);

// Returns the caller's environment, unchanged and in its order, without the variables of these
// lines. The lines with a value follow as "NAME=VALUE".
std::vector<std::string> environment_with(const std::vector<EnvLine>& lines);

// The reason for a failed start: exit status 126 found but not startable, 127 not found, 125 a
// failure of rocenv itself.
struct NotStarted {
    int exit_code;
    std::string text;
};

// Becomes the program (execve), and returns only if it did not start. A name without '/' is
// searched for in the PATH of the program's environment. With `as`, the program has that user's
// ids, HOME, USER and LOGNAME, and can gain no rights by set-id files (no_new_privs).
NotStarted become(const ProgramStart& start);

// Switch for the duties of PID 1.
enum class AsInit { no, yes };

// Starts the program as a child and waits for its end. Forwards signals to the program, except
// those of the terminal's keys, which it has received already. When the program stops, this process
// stops, too. AsInit::yes: orphaned children are reaped. Returns the exit status of the program,
// 128 plus the signal that ended it, or the status of NotStarted with a line on stderr (125 if
// interrupted() before). All signals stay blocked afterwards.
int start_and_wait(const ProgramStart& start, AsInit init);

}  // namespace rocenv
