// SPDX-License-Identifier: MIT
// Whether a folder that a container sees is one of the node's: only such a one is the same journal
// for all who may change the one kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "rocenv/result.h"

namespace rocenv {

// A line of /proc/self/mountinfo (man 5 proc_pid_mountinfo).
struct Mount {
    std::string_view id;
    std::string_view root;   // the folder of the file system that is mounted
    std::string_view point;  // where, with \040 for a blank
    std::string_view type;
};
std::optional<Mount> parse_mount(std::string_view line);

// Why the folder, or where it is missing the nearest one above it, is not on a file system of the
// node's: it is on an overlay, which is the container's own root, or on memory that was mounted for
// the container. Memory of the node's is known by a mounted part of it (root is not "/"), or by
// what only a node's /run holds (udev's data). What is mounted above the folder counts. Nothing: it
// is the node's. An unreadable mountinfo is an error, too.
std::optional<Error> not_of_the_node(const std::string& folder);

}  // namespace rocenv
