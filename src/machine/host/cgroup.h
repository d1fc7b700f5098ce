// SPDX-License-Identifier: MIT
// A limit that control groups put on the asking process: the least of its group's and of those
// above it (linux Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst, 6.12). What is
// above a container's own root cannot be seen in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/fs.h"

namespace rocenv {

struct CgroupLimit {
    std::string_view controller;  // of version 1: "memory"
    std::string_view old_file;    // of version 1: "memory.limit_in_bytes"
    std::string_view file;        // of version 2: "memory.max"
};

// Returns the limit, or `unlimited`; std::nullopt if no control group hierarchy in use has the
// controller. Fails if a file of a group cannot be read, and with ErrorKind::not_here if the
// process is in a group whose file system is not mounted.
Result<std::optional<std::uint64_t>> cgroup_limit(const Fs& fs, const CgroupLimit& limit);

}  // namespace rocenv
