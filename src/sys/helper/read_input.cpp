// SPDX-License-Identifier: MIT
#include "sys/helper/read_input.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "sys/helper/helper_process.h"
#include "sys/helper/shared_log.h"

namespace rocenv {

namespace {

constexpr std::size_t largest = std::size_t{1} << 20;
constexpr std::size_t page = 4096;

}  // namespace

Result<std::string> read_standard_input(double seconds) {
    std::string text;
    std::array<char, page> part;
    const bool by_hand = ::isatty(STDIN_FILENO) == 1;
    const std::int64_t end = now_ms() + static_cast<std::int64_t>(seconds * 1000);
    for (;;) {
        const std::int64_t left = std::max<std::int64_t>(end - now_ms(), 0);
        pollfd ready{STDIN_FILENO, POLLIN, 0};
        const int polled = ::poll(&ready, 1, by_hand ? -1 : static_cast<int>(left));
        if (polled == 0) {
            return Error{ErrorKind::timed_out, 0, "-",
                         "standard input: no end within " +
                             seconds_text(static_cast<std::int64_t>(seconds * 1000))};
        }
        if (polled < 0 && errno == EINTR) {
            continue;
        }
        const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
        if (got == 0) {
            return text;
        }
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return errno_error("read", "standard input", errno);
        }
        if (got > 0) {
            text.append(part.data(), static_cast<std::size_t>(got));
        }
        if (text.size() > largest) {
            return garbled("standard input", "is larger than 1 MiB");
        }
    }
}

}  // namespace rocenv
