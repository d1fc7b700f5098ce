// SPDX-License-Identifier: MIT
#include "os/child/read_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "os/child/child_process.h"
#include "os/child/shared_log.h"

namespace rocenv {

namespace {

constexpr std::size_t part_size = 65536;

// Whether there is something to read, or an end of it; -1 and errno, as of poll(2). It does not
// wait longer than until the line is due.
int wait_for(const Input& input, WaitLine* line) {
    constexpr std::int64_t longest_ms = 60000;
    const std::int64_t until =
        line == nullptr ? input.end_ms : std::min(input.end_ms, line->due_ms());
    const std::int64_t left = std::clamp<std::int64_t>(until - now_ms(), 0, longest_ms);
    pollfd ready{input.fd, POLLIN, 0};
    const int polled = ::poll(&ready, 1, static_cast<int>(left));
    if (polled == 0 && line != nullptr) {
        line->tell("waiting for", input.path, input.end_ms);
    }
    return polled;
}

}  // namespace

Result<std::string> read_to_end(const Input& input, WaitLine* line) {
    std::string text;
    std::array<char, part_size> part;
    while (now_ms() < input.end_ms) {
        const int polled = wait_for(input, line);
        if (polled == 0) {
            continue;
        }
        const ssize_t got = polled < 0 ? -1 : ::read(input.fd, part.data(), part.size());
        if (got == 0) {
            return text;
        }
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return errno_error("read", input.shown, errno);
        }
        text.append(part.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
        if (text.size() > input.most) {
            return garbled(input.shown, input.too_large);
        }
    }
    return Error{ErrorKind::timed_out, 0, input.path,
                 input.shown + ": did not end within " + input.within};
}

Result<std::string> read_standard_input(double seconds) {
    constexpr std::size_t largest = std::size_t{1} << 20;
    const auto ms = static_cast<std::int64_t>(seconds * 1000);
    const bool by_hand = ::isatty(STDIN_FILENO) == 1;
    return read_to_end({STDIN_FILENO, "-", "standard input", largest, "is larger than 1 MiB",
                        by_hand ? no_end_ms : now_ms() + ms, seconds_text(ms)},
                       nullptr);
}

}  // namespace rocenv
