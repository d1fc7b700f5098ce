// SPDX-License-Identifier: MIT
// Consequences: findings that another finding of the report explains, so that people and gates
// count one fault once.
#pragma once

#include <string>

#include "rocenv/report.h"
#include "settings/have_codes.h"

namespace rocenv {

// Returns the finding that explains this one; nullptr if there is none, or if this one is ok, na or
// hidden. Also nullptr if that finding affects the status less than its consequence, which must
// then stay visible.
const Finding* cause_of(const Report& report, const Finding& finding);

// Returns the remedy of a finding that is not ok; for a consequence, that of its cause. A
// difference of level info is safe for jobs.
Remedy remedy_of(const Report& report, const Finding& finding);

// Returns true for the system and the process, which need no name.
bool is_trivial_target(const std::string& target);

// Returns "gpu.count of 0000:85:00.0"; only the id for the system and the process.
std::string finding_name(const Finding& finding);

}  // namespace rocenv
