// SPDX-License-Identifier: MIT
// Whether a folder that a container sees is one of the node's: only such a one is the same journal
// for all who may change the one kernel.
#pragma once

#include <optional>
#include <string>

#include "rocenv/result.h"

namespace rocenv {

// Whether a folder of the root file system will do, which may be the node's disk or be made for the
// container, or only one on what was mounted below it.
enum class OnRoot { will_do, will_not_do };

// Why the folder, or where it is missing the nearest one above it, is not on a file system of the
// node's: it is on an overlay, which is the container's own root, or on memory that was mounted for
// the container. Memory of the node's is known by a mounted part of it whose whole is not mounted
// here, or by what only a node's /run holds (udev's data). What is mounted above the folder counts.
// Nothing: it is the node's. An unreadable mountinfo is an error, too.
std::optional<Error> not_of_the_node(const std::string& folder, OnRoot on_root);

}  // namespace rocenv
