// SPDX-License-Identifier: MIT
// A limit that control groups put on the asking process: the least of its group's and of those
// above it (linux Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst, 6.12). What is
// above a container's own root cannot be seen in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rocenv/fs.h"

namespace rocenv {

struct CgroupLimit {
    std::string_view controller;  // of version 1: "memory"
    std::string_view old_file;    // of version 1: "memory.limit_in_bytes"
    std::string_view file;        // of version 2: "memory.max"
};

// Returns the limit, `unlimited` where there is none; an error where a group's file could not be
// read or no control groups are mounted.
Result<std::uint64_t> cgroup_limit(const Fs& fs, const CgroupLimit& limit);

}  // namespace rocenv
