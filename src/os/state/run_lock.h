// SPDX-License-Identifier: MIT
// A file in the state folder that says "the process of this hold lives": as long as it does, it
// holds a write lock on it. Process ids would not do, since containers that share the folder do not
// share them.
//
// It is an open file description lock (fcntl(2), F_OFD_SETLK): readers can ask for it, and only who
// may write to the file can take it, so nobody else can pass a dead process off as a living one.
#pragma once

#include <string>
#include <vector>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

// A name of its own, and the lock that goes with the process: not inherited by what it starts.
struct RunHold {
    std::string name;  // "run/PID-RANDOM"
    Fd alive;
    bool recorded = false;  // set was done and the journal has it
};

// Makes and locks the file. Only while the folder's own lock is held.
Result<RunHold> new_run_hold(int folder, const std::string& shown);

// False also when it cannot be found out.
bool is_known_dead(int folder, const std::string& hold);

// Removes the files of the dead, but for these holds'. Only while the folder's own lock is held.
void remove_stale_holds(int folder, const std::vector<std::string>& holds);

}  // namespace rocenv
