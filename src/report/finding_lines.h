// SPDX-License-Identifier: MIT
// Texts of targets, values and findings, for programs that show messages to people.
#pragma once

#include <string>
#include <vector>

#include "print/style.h"
#include "rocenv/report.h"

namespace rocenv {

// Returns the present and the expected value, with the reason for an unknown one: "7, expected 8",
// "could not be read (timeout)". A difference without both is its detail. The text is one printable
// line without a line end.
std::string finding_headline(const Finding& finding);

// Returns the lines after the headline: the detail, the waiver and the next step, if there are any.
// The lines are printable and have no line end.
std::vector<std::string> finding_lines(const Finding& finding);

// Returns the first four targets and the number of the others: "0000:05:00.0, 0000:09:00.0, ... and
// 6 more". Returns all of up to five, and all with Detail::everything.
std::string some_of(const std::vector<std::string>& targets, Detail detail);

// Returns the value; "empty" for an empty one. Without a value: "could not be read" if unknown,
// "not set" for a variable, else "not there". Not escaped.
std::string have_text(const Finding& finding);

}  // namespace rocenv
