// SPDX-License-Identifier: MIT
// Runs a piece of work in this process where nothing that it asks can keep silent: on a node whose
// file systems are all local, as long as it asks for no file of a driver or of another process but
// for KFD's nodes, which a small helper reads. It saves a fork of all that the work needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "os/child/kfd_ahead.h"
#include "os/child/supervise.h"

namespace rocenv {

// Work that only reads and returns: it is begun here and given up where it asks for something that
// may keep silent. Nothing: it was, and needs a helper. `left`: a small helper that could
// not be ended at once.
std::optional<Output> run_directly(const Work& work, LeftBehind& left);

// Whether every file system of this /proc/self/mounts answers by itself. What is mounted for the
// kernel or for a session (/proc, /sys, /dev, /run) is not asked here, and does not count.
bool all_local(std::string_view mounts);

// Whether a file may keep silent: it is a driver's, a device's or another process'. KFD's are not
// asked about where there is KFD, and are missing at once elsewhere.
bool may_keep_silent(std::string_view path);

}  // namespace rocenv
