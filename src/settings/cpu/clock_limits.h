// SPDX-License-Identifier: MIT
// Limits that keep CPUs below their highest clock whatever the governor asks for (linux
// Documentation/admin-guide/pm/cpufreq.rst, 6.12).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Grades of these findings.
std::span<const Grade> clock_limit_grades();

// Returns a finding for each limit that is in force, none on a node without one. Reads a few of the
// policies, spread over all: what limits a clock limits a whole processor.
std::vector<Assessment> clock_limits(const Fs& fs, const std::vector<std::uint32_t>& policies);

// Lowers the level of policies whose governor is powersave where the driver leaves the clock to the
// processor and the preference is performance (linux Documentation/admin-guide/pm/amd-pstate.rst
// and intel_pstate.rst, active mode, 6.12): there powersave is no low clock.
void mind_preference(const Fs& fs, std::vector<Assessment>& rows);

}  // namespace rocenv
