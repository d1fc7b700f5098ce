// SPDX-License-Identifier: MIT
// What keeps CPUs below their highest clock whatever the governor asks for (linux
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

}  // namespace rocenv
