// SPDX-License-Identifier: MIT
// Runs a piece of work in this process, without a helper, where nothing that it asks can keep
// silent: on a node without KFD whose file systems are all local, as long as it asks for no file of
// a driver or of another process. It saves the fork of a program start.
#pragma once

#include <optional>
#include <string_view>

#include "sys/helper/supervise.h"

namespace rocenv {

// Work that only reads and returns: it is begun here and given up where it asks for something that
// may keep silent. Nothing: it was, and needs a helper.
std::optional<Output> run_directly(const Work& work);

// Whether every file system of this /proc/self/mounts answers by itself. What is mounted for the
// kernel or for a session (/proc, /sys, /dev, /run) is not asked here, and does not count.
bool all_local(std::string_view mounts);

// Whether a file of a machine without KFD may keep silent: it is a driver's, a device's or another
// process'.
bool may_keep_silent(std::string_view path);

}  // namespace rocenv
