// SPDX-License-Identifier: MIT
// A check in one line: what `brief` prints, and what other formats of one line are made of.
#pragma once

#include <cstddef>
#include <string>

#include "rocenv/report.h"

namespace rocenv {

// What may stand before the text of a brief report.
struct BriefStart {
    std::string trouble;  // where something differs or is unknown, at whatever level
    std::string none;     // else
};

// Returns whether the finding profile.auto says that no AMD GPU was found.
bool finds_no_gpu(const Report& report);

// One line of a check, without its end: at most `longest` characters of plain ASCII without what
// divides fields (;,|) but our own "; " and ", ". The worst finding comes first; what does not fit
// is counted.
std::string brief_line(const Report& report, const BriefStart& start, std::size_t longest);

}  // namespace rocenv
