// SPDX-License-Identifier: MIT
// The machine this program runs on, or a folder that stands for one (a jail, see jail.h).
#pragma once

#include <memory>
#include <string>

#include "os/fd.h"
#include "os/fs/jail.h"
#include "rocenv/fs.h"
#include "rocenv/result.h"

namespace rocenv {

std::unique_ptr<Fs> real_fs();

// The folder given with --sysroot, O_PATH. Fails with bad_input when it cannot be opened.
Result<Fd> open_sysroot(const std::string& folder);

// `root` is one that open_sysroot() gave.
std::unique_ptr<Fs> fs_in_folder(Fd root, Resolver resolver = Resolver::automatic);

// Both in one.
Result<std::unique_ptr<Fs>> sysroot_fs(const std::string& folder,
                                       Resolver resolver = Resolver::automatic);

// Files that root may follow: root alone can change the file, the folders above it and the links on
// the way.

// Opens a regular file for reading if root owns the file and every folder above it, and no other
// user may write to them. A sticky folder above may be writable. A link is followed if root owns
// it, and what it leads to is judged in the same way. A read-only mount protects what is on it from
// writing, and outside the initial user namespace it may show root's files as those of user 65534.
// What is judged is what is opened.
//
// Fails with not_trusted() ("FILE is not trusted: WHY"), whose path is the file, folder or link
// that is at fault; it is empty if no owner or mode is at fault. Other errors are those of open(2),
// and garbled if the file is not a regular file.
Result<Fd> open_trusted(const std::string& path);

}  // namespace rocenv
