// SPDX-License-Identifier: MIT
// Words for the targets and values of findings.
#pragma once

#include <string>
#include <vector>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

// "0000:05:00.0, 0000:09:00.0 and 6 more".
std::string some_of(const std::vector<std::string>& targets, Detail detail);

// Returns the value, or "not set", "not there", "could not be read".
std::string have_text(const Finding& finding);

}  // namespace rocenv
