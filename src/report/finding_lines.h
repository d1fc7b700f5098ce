// SPDX-License-Identifier: MIT
// Words for targets, values and findings, for programs that show a message to people.
#pragma once

#include <string>
#include <vector>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns the present and the expected value, or why the value is not known: "7, expected 8". One
// printable line.
std::string finding_headline(const Finding& finding);

// What there is to say behind the headline: the detail, the waiver, the next step, a line each.
// Printable.
std::vector<std::string> finding_lines(const Finding& finding);

// "0000:05:00.0, 0000:09:00.0 and 6 more".
std::string some_of(const std::vector<std::string>& targets, Detail detail);

// Returns the value, or "not set", "not there", "could not be read".
std::string have_text(const Finding& finding);

}  // namespace rocenv
