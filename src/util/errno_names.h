// SPDX-License-Identifier: MIT
// Names of error numbers (`ENOENT`). glibc has strerrorname_np for this since 2.32, but rocenv
// supports older ones.
#pragma once

#include <optional>
#include <string_view>

namespace rocenv {

// Returns the name; nullptr if Linux has no such error, also for 0.
const char* errno_name(int err);

// Returns the number of exactly such a name; std::nullopt for others, also for second names
// (`EWOULDBLOCK`).
std::optional<int> errno_by_name(std::string_view name);

}  // namespace rocenv
