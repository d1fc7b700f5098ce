// SPDX-License-Identifier: MIT
// A check in one line: the output of `brief`, and the base of other one-line formats.
#pragma once

#include <cstddef>
#include <string>

#include "rocenv/report.h"

namespace rocenv {

// The possible prefixes of a brief report.
struct BriefStart {
    std::string trouble;  // prefix if a finding differs or is unknown, at any level
    std::string none;     // prefix otherwise
};

// Returns true if the finding profile.auto reports that no AMD GPU was found, and is not waived.
bool finds_no_gpu(const Report& report);

// Returns one line about a check, without a line end: at most `longest` characters of plain ASCII.
// Field separators (;,|) occur only in "; " and ", ". The worst finding comes first; the rest is
// counted. `longest` must have room for the start, the first count and a few characters.
std::string brief_line(const Report& report, const BriefStart& start, std::size_t longest);

}  // namespace rocenv
