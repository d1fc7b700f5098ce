// SPDX-License-Identifier: MIT
// Who has the lock of the state folder: told by /proc/locks, and by the line that whoever took it
// wrote into it.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "os/fd.h"
#include "os/state/state_folder.h"

namespace rocenv {

// Whether somebody holds a flock(2) on this file; nothing: it cannot be told.
std::optional<bool> is_locked(const struct stat& file);

// "12 root set": what the holder wrote, if it was he; "process 12" of one that wrote nothing.
std::string holder_of(const Fd& lock);

// Only for those who wait: a lock without it is a lock.
void sign(const Fd& lock, const Holder& self);

}  // namespace rocenv
