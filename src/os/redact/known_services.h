// SPDX-License-Identifier: MIT
// Services that host.rivals and host.time_sync look for. A recording keeps only these
// (profiles/facts/services.toml).
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// One service.
struct KnownService {
    std::string_view unit;     // without ".service"
    std::string_view process;  // /proc/PID/comm, cut to 15 bytes by the kernel

    // Returns "NAME.service".
    std::string unit_file() const { return std::string(unit) + ".service"; }
};

// Services that set governors and idle states, or move processes, memory or interrupts.
inline constexpr KnownService rival_services[] = {
#include "facts/rival_services.inc"
};

// Services that synchronize the clock. Distributions use several unit names for one daemon.
inline constexpr KnownService clock_services[] = {
#include "facts/clock_services.inc"
};

}  // namespace rocenv
