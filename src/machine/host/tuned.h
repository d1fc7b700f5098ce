// SPDX-License-Identifier: MIT
// The profile of tuned, and what it does to CPU clocks (tuned-adm(8); the shipped profiles of
// redhat-performance/tuned 2.24, read 2026-11).
#pragma once

#include <optional>
#include <string>

#include "rocenv/fs.h"

namespace rocenv {

struct TunedProfile {
    std::string names;          // "hpc-compute"; several with blanks between; empty: none is active
    bool keeps_clocks = false;  // it sets the governor performance, or nothing
};

// Returns the active profile. std::nullopt: tuned wrote none down.
std::optional<TunedProfile> tuned_profile(const Fs& fs);

}  // namespace rocenv
