// SPDX-License-Identifier: MIT
// Names of error numbers ("ENOENT"). glibc has strerrorname_np for this since 2.32, and rocenv runs
// with older ones.
#pragma once

#include <optional>
#include <string_view>

namespace rocenv {

// Null: Linux has no such error.
const char* errno_name(int err);

// Nothing: no error of Linux has that name.
std::optional<int> errno_by_name(std::string_view name);

}  // namespace rocenv
