// SPDX-License-Identifier: MIT
// What walking a path name by name needs, on disk (jail.cpp) and in memory (memory_fs.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

// As many symbolic links are followed in one path as the kernel follows (linux
// include/linux/namei.h MAXSYMLINKS).
constexpr int max_links = 40;

// Puts the names of `path` on the stack of names still to be walked: its first name last, so that
// it comes next, and a link's target can be pushed on top. "." and empty names are left out.
void push_names(std::vector<std::string>& names, std::string_view path);

// Opening a path inside a folder: one that stands for another machine's root, or a part of this one
// that alone may be written. No path, absolute symbolic link or ".." leaves the folder, and magic
// links (/proc/self/root) are refused: as root, one that did would let a write reach anything.

// How to resolve: the kernel's openat2(2) (Linux 5.6), or name by name where that is not to be had
// (older kernels, seccomp filters of old container engines). `automatic` tries the first.
enum class Resolver { automatic, kernel, by_hand };

// Opens `path` ("/sys/…") inside the folder `root`. With O_NOFOLLOW in `flags` a last name that is
// a symbolic link is not followed. Returns -errno in place of a descriptor on failure.
int open_in_jail(int root, const std::string& path, int flags, Resolver resolver);

// As open_in_jail(), of a path without a '/' in front. A folder of the running machine is no root
// to its links: what leads out of it, be it by an absolute link or "..", is refused with -EXDEV.
int open_beneath(int folder, const std::string& path, int flags, Resolver resolver);

// The folder and the name in it that `path` leads to, all links followed: where a file can be
// replaced. `err` is an errno, then there is no folder.
struct JailPlace {
    Fd folder;
    std::string name;
    int err = 0;
};
JailPlace place_in_jail(int root, std::string path, Resolver resolver);

}  // namespace rocenv
