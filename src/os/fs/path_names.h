// SPDX-License-Identifier: MIT
// What walking a path name by name needs, on disk (jail.cpp) and in memory (memory_fs.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// As many symbolic links are followed in one path as the kernel follows (linux
// include/linux/namei.h MAXSYMLINKS).
constexpr int max_links = 40;

// Puts the names of `path` on the stack of names still to be walked: its first name last, so that
// it comes next, and a link's target can be pushed on top. "." and empty names are left out.
void push_names(std::vector<std::string>& names, std::string_view path);

}  // namespace rocenv
