// SPDX-License-Identifier: MIT
// Limits that keep CPUs below their maximum clock, independent of the governor (linux
// Documentation/admin-guide/pm/cpufreq.rst, 6.12).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Returns the grades of these findings.
std::span<const Grade> clock_limit_grades();

// Returns a differing row for the limit of the firmware, else for scaling_max_freq, one for
// intel_pstate's limit, and one of level info if policies have unequal highest clocks. Without the
// first two, an error makes an unknown row. Returns an empty list without a limit. Reads at most
// eight policies, spread over all, because a limit applies to a whole processor.
std::vector<Assessment> clock_limits(const Fs& fs, const std::vector<std::uint32_t>& policies);

// Lowers the level of policies whose governor is powersave if the processor selects the clock and
// the preference is performance. Powersave is not a low clock then (linux
// Documentation/admin-guide/pm/amd-pstate.rst and intel_pstate.rst, active mode, 6.12).
void mind_preference(const Fs& fs, std::vector<Assessment>& rows);

}  // namespace rocenv
