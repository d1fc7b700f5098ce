// SPDX-License-Identifier: MIT
// Consequences: findings that another finding of the report explains, so that people and gates see
// one fault once.
#pragma once

#include <string>

#include "rocenv/report.h"
#include "settings/have_codes.h"

namespace rocenv {

// Returns the finding that explains this one; nullptr if none does, or if it decides the status
// less than its consequence does, which must stay visible then.
const Finding* cause_of(const Report& report, const Finding& finding);

// Returns what a finding that is not ok calls for: of a consequence, what its cause does. What is
// optional degrades no job.
Remedy remedy_of(const Report& report, const Finding& finding);

// Returns whether the target is the system or the process, which need no name.
bool is_trivial_target(const std::string& target);

// "gpu.count of 0000:85:00.0"; the system and the process need no name.
std::string finding_name(const Finding& finding);

}  // namespace rocenv
