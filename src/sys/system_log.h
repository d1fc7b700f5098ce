// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rocenv {

// One line in the system's log, facility daemon, level notice.
void log_change(const std::string& line);

}  // namespace rocenv
