// SPDX-License-Identifier: MIT
// Which services run, by files alone: a running unit has a control group below system.slice. Where
// systemd keeps none, the names of the running processes tell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "os/redact/known_services.h"
#include "rocenv/fs.h"

namespace rocenv {

struct RunningServices {
    std::vector<std::string> units;      // "tuned.service"
    std::vector<std::string> processes;  // by /proc/PID/comm; none where there are control groups
    std::optional<Error> uncertain;      // why there may be more

    bool runs_unit(const KnownService& service) const;
    bool runs(const KnownService& service) const;  // as a unit or a process
};

RunningServices running_services(const Fs& fs);

// The profile of tuned, and what it does to CPU clocks (tuned-adm(8); the shipped profiles of
// redhat-performance/tuned 2.24, read 2026-11).

struct TunedProfile {
    std::string names;          // "hpc-compute"; several with blanks between; empty: none is active
    bool keeps_clocks = false;  // it sets the governor performance, or nothing
};

// Returns the active profile. std::nullopt: tuned wrote none down.
std::optional<TunedProfile> tuned_profile(const Fs& fs);

}  // namespace rocenv
