// SPDX-License-Identifier: MIT
// The machines of posix_fs.h, for writing too.
//
// The real one: open(2) without O_CREAT and O_TRUNC, one write(2), close(2); a short write is an
// error. Only what lies below /sys or /proc/sys, all links followed, is written; anything else is
// an error of kind bad_input, whatever the caller's rules let through. A folder that stands for a
// machine: its files change as kernel_rules.h says, each by rename(2), so that death at any instant
// leaves the old content or the new one. The content is prepared in the folder's own run/rocenv;
// what a dead writer left there goes with the next write.
#pragma once

#include <memory>
#include <string>

#include "os/fs/jail.h"
#include "rocenv/fs.h"

namespace rocenv {

// `top` is a test's: a folder whose sys and proc/sys stand for the machine's when it is written to.
std::unique_ptr<WritableFs> real_writable_fs(std::string top = "",
                                             Resolver resolver = Resolver::automatic);

// Fails with bad_input when `folder` cannot be opened.
Result<std::unique_ptr<WritableFs>> writable_sysroot_fs(const std::string& folder,
                                                        Resolver resolver = Resolver::automatic);

}  // namespace rocenv
