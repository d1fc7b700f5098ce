// SPDX-License-Identifier: MIT
// What all forked helpers have in common (supervise.cpp, helper_fs.cpp).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace rocenv {

// fork(2); the child dies with its caller.
pid_t fork_helper();

// In the helper: it keeps nothing of the caller's open but `channel`, which becomes the descriptor
// it returns. A reader of the caller's stdout must see its end even while a helper is stuck.
// Descriptors 0 to 2 lead nowhere, so that a library's last words cannot reach a kernel file. A
// terminal does not stop it: its caller waits for it.
int become_helper(int channel);

// What became of a helper that was killed: in_kernel: the kernel does not let it go; late: it is
// still there after a fair wait, which a busy machine explains as well.
enum class HelperEnd { gone, in_kernel, late };

// Kills the helper and waits for its end: until it is gone, is seen to stay in an uninterruptible
// wait, or a second is over. `channel` is the caller's end of what the helper holds open.
HelperEnd end_helper(pid_t helper, int channel, int& status);

// The line about a helper that is not gone, without a line end. `path`: what it was asked last,
// empty where that is not known.
std::string left_behind_text(pid_t helper, HelperEnd end, const std::string& path);

// Returns which limit of this process explains how a helper ended: "too little stack: ulimit -s is
// 48 KiB, 256 KiB are needed"; empty if none does. `status` is that of waitpid(2).
std::string scarce_limit(int status);
// Returns the same about the stack of this process itself; empty if there is enough.
std::string scarce_stack();

// "5 s", "0.2 s".
std::string seconds_text(std::int64_t ms);

}  // namespace rocenv
