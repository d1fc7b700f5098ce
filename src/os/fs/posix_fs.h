// SPDX-License-Identifier: MIT
// The machine this program runs on, or a folder that stands for one (a jail, see jail.h).
#pragma once

#include <memory>

#include "os/fs/jail.h"
#include "rocenv/fs.h"

namespace rocenv {

std::unique_ptr<Fs> real_fs();

// The folder given with --sysroot, O_PATH. Fails with bad_input when it cannot be opened.
Result<Fd> open_sysroot(const std::string& folder);

// `root` is one that open_sysroot() gave.
std::unique_ptr<Fs> fs_in_folder(Fd root, Resolver resolver = Resolver::automatic);

// Both in one.
Result<std::unique_ptr<Fs>> sysroot_fs(const std::string& folder,
                                       Resolver resolver = Resolver::automatic);

}  // namespace rocenv
