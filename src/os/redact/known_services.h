// SPDX-License-Identifier: MIT
// Services that settings ask for by name: host.rivals and host.time_sync. A recording keeps these
// and no others (profiles/facts/services.toml).
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

struct KnownService {
    std::string_view unit;     // without ".service"
    std::string_view process;  // /proc/PID/comm, which the kernel cuts to 15 bytes

    std::string unit_file() const { return std::string(unit) + ".service"; }
};

// Set governors and idle states themselves, or move processes, memory and interrupts to other CPUs.
inline constexpr KnownService rival_services[] = {
#include "facts/rival_services.inc"
};

// Keep the clock. Distributions call the unit of one daemon by several names.
inline constexpr KnownService clock_services[] = {
#include "facts/clock_services.inc"
};

}  // namespace rocenv
