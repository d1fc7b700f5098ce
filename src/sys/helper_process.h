// SPDX-License-Identifier: MIT
// What all forked helpers have in common (supervise.cpp, worker_fs.cpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace rocenv {

// fork(2); the child dies with its caller.
pid_t fork_helper();

// In the helper: it keeps nothing of the caller's open but `channel`, which becomes the descriptor
// it returns. A reader of the caller's stdout must see its end even
// while a helper is stuck. Descriptors 0 to 2 lead nowhere, so that a library's last words cannot
// reach a kernel file.
int become_helper(int channel);

// Kills the helper and waits a moment for its end of `channel` to close. False: it cannot be ended.
bool end_helper(pid_t helper, int channel, int& status);

// The line about a helper that end_helper() could not end, without a line end.
std::string left_behind_text(pid_t helper, const std::string& path);

// "5 s", "0.2 s".
std::string seconds_text(std::int64_t ms);

}  // namespace rocenv
