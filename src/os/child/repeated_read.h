// SPDX-License-Identifier: MIT
// Repeats a read of the machine until it has nothing left to wait for.
#pragma once

#include <functional>

#include "os/child/supervise.h"

namespace rocenv {

// Calls `read` and returns its output. While that says `may_heal`, pauses for 1, 2, 4 and then 5 s
// and calls it again. The last call starts `seconds` after the first at the latest. From here on
// SIGTERM ends the process with 143, also as process 1 of a container.
Output repeated_read(double seconds, const std::function<Output()>& read);

}  // namespace rocenv
