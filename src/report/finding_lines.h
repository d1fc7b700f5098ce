// SPDX-License-Identifier: MIT
// Texts of targets, values and findings, for programs that show messages to people.
#pragma once

#include <string>
#include <vector>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns the present and the expected value, or the reason for an unknown value: "7, expected 8".
// The text is one printable line.
std::string finding_headline(const Finding& finding);

// Returns the lines after the headline: the detail, the waiver and the next step. The lines are
// printable.
std::vector<std::string> finding_lines(const Finding& finding);

// Returns "0000:05:00.0, 0000:09:00.0 and 6 more".
std::string some_of(const std::vector<std::string>& targets, Detail detail);

// Returns the value, or "not set", "not there", "could not be read".
std::string have_text(const Finding& finding);

}  // namespace rocenv
