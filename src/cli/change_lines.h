// SPDX-License-Identifier: MIT
// What the system's log is told of a set or reset.
#pragma once

#include <string>
#include <vector>

#include "rocenv/report.h"

namespace rocenv {

// One line for each setting and value that was changed: the target or how many there are, what they
// were where that is the same, what they are, and who did it. Printable, whatever the values hold.
std::vector<std::string> change_lines(const Report& report, const std::string& user);

}  // namespace rocenv
