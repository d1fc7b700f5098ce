// SPDX-License-Identifier: MIT
#include "sys/helper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int grace_ms = 50;  // for a killed helper to be gone

}  // namespace

pid_t fork_helper() {
    const pid_t caller = ::getpid();
    const pid_t helper = ::fork();
    if (helper == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != caller) {
            ::_exit(0);  // it died in between, and nobody waits
        }
    }
    return helper;
}

int become_helper(int channel) {
    constexpr int kept = 3;
    if (channel != kept) {
        ::dup2(channel, kept);
    }
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd < kept; ++fd) {
        if (nowhere >= 0) {
            ::dup2(nowhere, fd);
        } else {
            ::close(fd);
        }
    }
    ::close_range(kept + 1, ~0U, 0);
    return kept;
}

bool end_helper(pid_t helper, int channel, int& status) {
    ::kill(helper, SIGKILL);
    pollfd gone{channel, 0, 0};
    if (::poll(&gone, 1, grace_ms) <= 0) {
        return false;
    }
    ::waitpid(helper, &status, 0);
    return true;
}

std::string left_behind_text(pid_t helper, const std::string& path) {
    return "helper process " + number(helper) + " cannot be ended: it waits in the kernel for " +
           path + " and goes when that answers";
}

std::string seconds_text(std::int64_t ms) {
    const std::string tenths = ms % 1000 == 0 ? "" : "." + number(ms % 1000 / 100);
    return number(ms / 1000) + tenths + " s";
}

}  // namespace rocenv
