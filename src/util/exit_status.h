// SPDX-License-Identifier: MIT
// What the status of rocenv says, for all commands. Scripts rely on these numbers: they never
// change.
#pragma once

namespace rocenv {

inline constexpr int exit_ok = 0;       // as wanted; set, reset: done; status: nothing is recorded
inline constexpr int exit_differs = 1;  // something required differs; set: the rest was done;
                                        // reset: names hold it; status: something is set
inline constexpr int exit_usage = 2;    // bad usage, profile or input file; nothing was written
inline constexpr int exit_unknown =
    3;  // something required could not be read; set, reset: not tried
inline constexpr int exit_rolled_back = 4;  // set failed or was interrupted, all is back
inline constexpr int exit_stuck = 5;        // something could not be put back, or changed since

// Of input that could not be taken: a file that does not answer is not known to be wrong.
constexpr int exit_of_unread(bool timed_out) {
    return timed_out ? exit_unknown : exit_usage;
}

// Of run, beside the program's own: as a shell has them.
inline constexpr int exit_refused = 125;       // rocenv refused or failed before the program began
inline constexpr int exit_cannot_start = 126;  // the program is there and could not be started
inline constexpr int exit_not_found = 127;

}  // namespace rocenv
