// SPDX-License-Identifier: MIT
// Services that settings ask for by name: host.rivals and host.time_sync. A recording keeps these
// and no others.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace rocenv {

struct KnownService {
    std::string_view unit;     // without ".service"
    std::string_view process;  // /proc/PID/comm, which the kernel cuts to 15 bytes

    std::string unit_file() const { return std::string(unit) + ".service"; }
};

// Set governors and idle states themselves, or move processes, memory and interrupts to other CPUs.
inline constexpr auto rival_services =
    std::to_array<KnownService>({{"tuned", "tuned"},
                                 {"power-profiles-daemon", "power-profiles-"},
                                 {"cpupower", "cpupower"},
                                 {"auto-cpufreq", "auto-cpufreq"},
                                 {"tlp", "tlp"},
                                 {"numad", "numad"},
                                 {"irqbalance", "irqbalance"}});

// Keep the clock. Distributions call the unit of one daemon by several names.
inline constexpr auto clock_services =
    std::to_array<KnownService>({{"chronyd", "chronyd"},
                                 {"chrony", "chronyd"},
                                 {"ntpd", "ntpd"},
                                 {"ntp", "ntpd"},
                                 {"ntpsec", "ntpd"},
                                 {"ntpd-rs", "ntpd-rs"},
                                 {"phc2sys", "phc2sys"},
                                 {"ptp4l", "ptp4l"},
                                 {"systemd-timesyncd", "systemd-timesyn"}});

}  // namespace rocenv
