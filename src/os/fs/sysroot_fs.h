// SPDX-License-Identifier: MIT
// The writable machines.
//
// The real machine: open(2) without O_CREAT and O_TRUNC, one write(2), close(2). A short write is
// an error. Only files below /sys or /proc/sys, with all links followed, are written; other paths
// fail with `bad_input`. An emulated machine in a folder: files change by kernel_rules.h, each by
// rename(2), so that a crash leaves the old or the new content. The content is prepared in the
// folder's own run/rocenv. Files that a killed writer left there are removed at the next write.
// There a write fails with not_permitted if another user owns the file or its folder, or if it is a
// file of the running kernel. A file that is not regular fails with garbled.
#pragma once

#include <memory>
#include <string>

#include "os/fs/jail.h"
#include "rocenv/fs.h"

namespace rocenv {

// Returns the real machine. `top` is for tests: a folder whose sys and proc/sys are used for
// writes.
std::unique_ptr<WritableFs> real_writable_fs(std::string top = "",
                                             Resolver resolver = Resolver::automatic);

// Returns the machine in `folder`. Fails with `bad_input` if the folder cannot be opened.
Result<std::unique_ptr<WritableFs>> writable_sysroot_fs(const std::string& folder,
                                                        Resolver resolver = Resolver::automatic);

}  // namespace rocenv
