// SPDX-License-Identifier: MIT
#include "os/child/repeated_read.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "os/child/shared_log.h"
#include "os/child/wait_line.h"

namespace rocenv {

namespace {

constexpr std::int64_t first_pause_ms = 1000;
constexpr std::int64_t longest_pause_ms = 5000;
constexpr int exit_of_sigterm = 128 + SIGTERM;

// The helper of a read dies with this process.
void end_of_wait(int /*signal*/) {
    ::_exit(exit_of_sigterm);
}

void end_by_sigterm() {
    struct sigaction action {};
    action.sa_handler = end_of_wait;
    ::sigaction(SIGTERM, &action, nullptr);
}

void pause_until(std::int64_t until_ms, std::int64_t last_ms) {
    WaitLine line;
    for (std::int64_t now = now_ms(); now < until_ms; now = now_ms()) {
        line.tell("waiting for", "checks that may still pass", last_ms);
        const auto next = std::min(until_ms, line.due_ms());
        ::poll(nullptr, 0, static_cast<int>(std::clamp<std::int64_t>(next - now, 1, 1000)));
    }
}

}  // namespace

Output repeated_read(double seconds, const std::function<Output()>& read) {
    const std::int64_t last_ms = now_ms() + static_cast<std::int64_t>(seconds * 1000);
    end_by_sigterm();
    std::int64_t pause_ms = first_pause_ms;
    for (;;) {
        Output output = read();
        const std::int64_t now = now_ms();
        if (!output.may_heal || now >= last_ms) {
            return output;
        }
        pause_until(std::min(now + pause_ms, last_ms), last_ms);
        pause_ms = std::min(pause_ms * 2, longest_pause_ms);
    }
}

}  // namespace rocenv
