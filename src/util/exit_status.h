// SPDX-License-Identifier: MIT
// The exit status of all commands. Scripts rely on these numbers, which never change.
#pragma once

namespace rocenv {

inline constexpr int exit_ok = 0;       // passed; set, reset: done; status: no records
inline constexpr int exit_differs = 1;  // a required check failed; set: all others were set; reset:
                                        // refused, settings are held; status: settings are active
inline constexpr int exit_usage = 2;    // bad usage, profile or input file; no change
inline constexpr int exit_unknown = 3;  // a required value is unreadable; set, reset: not tried
inline constexpr int exit_rolled_back = 4;  // set failed or was interrupted and was rolled back
inline constexpr int exit_stuck = 5;        // a value could not be restored, or was changed since

// Returns the status for unreadable input: a file that timed out may be valid.
constexpr int exit_of_unread(bool timed_out) {
    return timed_out ? exit_unknown : exit_usage;
}

// Status of run besides that of the program, as in a shell.
inline constexpr int exit_refused = 125;       // refused or failed before the program started
inline constexpr int exit_cannot_start = 126;  // the program exists but could not be started
inline constexpr int exit_not_found = 127;

}  // namespace rocenv
