// SPDX-License-Identifier: MIT
// What has an end only when somebody says so, whole: standard input, a pipe, a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "os/child/wait_line.h"
#include "rocenv/result.h"

namespace rocenv {

// An Input with this end is waited for for ever.
inline constexpr std::int64_t no_end_ms = std::numeric_limits<std::int64_t>::max();

struct Input {
    int fd = -1;
    std::string path;         // what an error without an answer is about
    std::string shown;        // its name in texts
    std::size_t most = 0;     // bytes
    std::string too_large;    // what is said of more: "is larger than 1 MiB"
    std::int64_t end_ms = 0;  // by now_ms()
    std::string within;       // what is said of no end by then: "20 s"
};

// Up to its end. More than `most` is an error of kind garbled, no end in time one of kind
// timed_out. Who waits is told by `line`, where there is one.
Result<std::string> read_to_end(const Input& input, WaitLine* line);

// Waits for its end, so many seconds at most where nobody types it. More than 1 MiB is an error, as
// for a file.
Result<std::string> read_standard_input(double seconds);

}  // namespace rocenv
