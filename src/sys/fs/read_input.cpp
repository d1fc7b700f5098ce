// SPDX-License-Identifier: MIT
#include "sys/fs/read_input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace rocenv {

namespace {

constexpr std::size_t largest = std::size_t{1} << 20;
constexpr std::size_t page = 4096;

}  // namespace

Result<std::string> read_standard_input() {
    std::string text;
    std::array<char, page> part;
    for (;;) {
        const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
        if (got == 0) {
            return text;
        }
        if (got < 0 && errno == EAGAIN) {
            pollfd ready{STDIN_FILENO, POLLIN, 0};  // somebody made it non-blocking
            ::poll(&ready, 1, -1);
        } else if (got < 0 && errno != EINTR) {
            return errno_error("read", "standard input", errno);
        } else if (got > 0) {
            text.append(part.data(), static_cast<std::size_t>(got));
        }
        if (text.size() > largest) {
            return garbled("standard input", "is larger than 1 MiB");
        }
    }
}

}  // namespace rocenv
