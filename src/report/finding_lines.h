// SPDX-License-Identifier: MIT
// A finding in words, for programs that show a message to people.
#pragma once

#include <string>
#include <vector>

#include "rocenv/report.h"

namespace rocenv {

// Returns the present and the expected value, or why the value is not known: "7, expected 8". One
// printable line.
std::string finding_headline(const Finding& finding);

// What there is to say behind the headline: the detail, the waiver, the next step, a line each.
// Printable.
std::vector<std::string> finding_lines(const Finding& finding);

}  // namespace rocenv
