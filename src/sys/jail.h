// SPDX-License-Identifier: MIT
// Opening a path inside a folder that stands for another machine's root. No path, absolute symbolic
// link or ".." leaves the folder, and magic links (/proc/self/root) are refused: as root, one that
// did would let a later write reach the real machine.
#pragma once

#include <string>

#include "rocenv/result.h"
#include "sys/fd.h"

namespace rocenv {

// How to resolve: the kernel's openat2(2) (Linux 5.6), or name by name where that is not to be had
// (older kernels, seccomp filters of old container engines). `automatic` tries the first.
enum class Resolver { automatic, kernel, by_hand };

// Opens `path` ("/sys/…") inside the folder `root`. With O_NOFOLLOW in `flags` a last name that is
// a symbolic link is not followed. Returns -errno in place of a descriptor on failure.
int open_in_jail(int root, const std::string& path, int flags, Resolver resolver);

// The folder and the name in it that `path` leads to, all links followed: where a file can be
// replaced. `err` is an errno, then there is no folder.
struct JailPlace {
    Fd folder;
    std::string name;
    int err = 0;
};
JailPlace place_in_jail(int root, std::string path, Resolver resolver);

}  // namespace rocenv
