// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocenv {

// The local log daemon's socket.
inline const std::string system_log_place = "/dev/log";

// Lines that did not get through, and why the first of them did not.
struct LostLines {
    std::size_t count = 0;
    std::string why;
};

// Sends each line as syslog(3) would, facility daemon, level notice, but waits for a log that takes
// nothing no longer than `patience_ms` for all of them.
std::optional<LostLines> log_lines(const std::vector<std::string>& lines, std::int64_t patience_ms,
                                   const std::string& place = system_log_place);

}  // namespace rocenv
