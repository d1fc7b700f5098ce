// SPDX-License-Identifier: MIT
// The running machine, or a folder that represents another one (a jail, see jail.h).
#pragma once

#include <memory>
#include <string>

#include "os/fd.h"
#include "os/fs/jail.h"
#include "rocenv/fs.h"
#include "rocenv/result.h"

namespace rocenv {

// Returns the running machine.
std::unique_ptr<Fs> real_fs();

// Opens the folder of --sysroot with O_PATH. Fails with `bad_input` if that fails.
Result<Fd> open_sysroot(const std::string& folder);

// Returns the machine in `root`, a descriptor of open_sysroot(). Only regular files are read;
// others fail with `garbled`.
std::unique_ptr<Fs> fs_in_folder(Fd root, Resolver resolver = Resolver::automatic);

// Opens the folder and returns its machine. Fails like open_sysroot().
Result<std::unique_ptr<Fs>> sysroot_fs(const std::string& folder,
                                       Resolver resolver = Resolver::automatic);

// Files that root can trust: only root can change the file, the folders above it and the links to
// it.

// Opens a regular file for reading if root owns the file and every folder above it, and no other
// user may write to them. A sticky folder above may be writable. A link is followed if root owns it
// and its target passes the same checks. Files on a read-only mount cannot be written; outside the
// initial user namespace they may have user 65534 instead of root. The checked file is the opened
// file.
//
// Fails with not_trusted() ("FILE is not trusted: WHY"), whose path is the file, folder or link
// that is at fault; it is empty if no owner or mode is at fault. Other errors are those of open(2),
// and garbled if the file is not a regular file.
Result<Fd> open_trusted(const std::string& path);

}  // namespace rocenv
