// SPDX-License-Identifier: MIT
// Lines for the local log daemon, sent without the blocking of syslog(3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocenv {

// The socket of the local log daemon.
inline const std::string system_log_place = "/dev/log";

// The lines that were not sent, and the reason of the first failure.
struct LostLines {
    std::size_t count = 0;
    std::string why;
};

// Sends each line as syslog(3) would, facility daemon, level notice, to the socket `place`. Waits
// at most `patience_ms` milliseconds in total. A line that cannot be sent is counted, and the next
// ones are tried. Returns std::nullopt if all lines were sent.
std::optional<LostLines> log_lines(const std::vector<std::string>& lines, std::int64_t patience_ms,
                                   const std::string& place = system_log_place);

}  // namespace rocenv
