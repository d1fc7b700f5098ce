// SPDX-License-Identifier: MIT
// A finding in words, for programs that show a message to people.
#pragma once

#include <string>
#include <vector>

#include "rocenv/report.h"

namespace rocenv {

// What is there and what is wanted, or why that is not known: "7, want 8". Printable, one line.
std::string finding_headline(const Finding& finding);

// What there is to say behind the headline: the detail, the waiver, the next step, a line each.
// Printable.
std::vector<std::string> finding_lines(const Finding& finding);

}  // namespace rocenv
