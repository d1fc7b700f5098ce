// SPDX-License-Identifier: MIT
// A file system of its own on a folder, for one piece of work and invisible to other processes.
#pragma once

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "support/catch.h"
#include "support/skip.h"

namespace rocenv {

// Returns true if `work` did, in a child in whose mount namespace `folder` is a tmpfs of 16 KiB. If
// that is not permitted, returns true and skips the case.
inline bool right_on_small_mount(const std::string& folder, const std::function<bool()>& work) {
    constexpr int wrong = 1;
    constexpr int not_allowed = 77;
    const pid_t child = ::fork();
    if (child == 0) {
        const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                             ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                             ::mount("none", folder.c_str(), "tmpfs", 0, "size=16k,mode=0755") == 0;
        ::_exit(!mounted ? not_allowed : work() ? 0 : wrong);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const bool skipped = WIFEXITED(status) && WEXITSTATUS(status) == not_allowed;
    if (skipped) {
        say_skipped("a mount namespace of its own needs root");
    }
    return status == 0 || skipped;
}

}  // namespace rocenv
