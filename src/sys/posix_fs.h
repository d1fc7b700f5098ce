// SPDX-License-Identifier: MIT
// The machine this program runs on, or a folder that stands for one (a jail, see jail.h).
#pragma once

#include <memory>

#include "rocenv/fs.h"
#include "sys/jail.h"

namespace rocenv {

std::unique_ptr<Fs> real_fs();

// Fails with bad_input when `folder` cannot be opened.
Result<std::unique_ptr<Fs>> sysroot_fs(const std::string& folder,
                                       Resolver resolver = Resolver::automatic);

}  // namespace rocenv
