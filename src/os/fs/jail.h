// SPDX-License-Identifier: MIT
// Path resolution inside a folder, name by name; for files on disk (jail.cpp) and in memory
// (memory_fs.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

// Limit of symbolic links in one path, as in the kernel (linux include/linux/namei.h MAXSYMLINKS).
constexpr int max_links = 40;

// Pushes the names of `path` in reverse order, so that the first name is on top and a link's target
// can be pushed above. "." and empty names are skipped; ".." is kept.
void push_names(std::vector<std::string>& names, std::string_view path);

// Opens paths inside a folder: the root of another machine, or the only writable part of this one.
// No path, absolute symbolic link or ".." leaves the folder. Magic links (/proc/self/root) are
// refused by openat2(2), or followed by their text inside the folder. Otherwise a write as root
// could reach any file.

// The method of resolution: openat2(2) of the kernel (Linux 5.6), or name by name where it is
// missing (older kernels, seccomp filters of old container engines). `automatic` tries openat2(2)
// first.
enum class Resolver { automatic, kernel, by_hand };

// Opens `path` ("/sys/…") inside the folder `root`; the descriptor closes at execve(2). A ".."
// above `root` stays there, and absolute links begin at `root`. With O_NOFOLLOW in `flags` a
// symbolic link as the last name is not followed. Returns a descriptor, or -errno.
int open_in_jail(int root, const std::string& path, int flags, Resolver resolver);

// Opens a path without a leading '/', like open_in_jail(). A path that leaves the folder by an
// absolute link or by ".." fails with -EXDEV.
int open_beneath(int folder, const std::string& path, int flags, Resolver resolver);

// A folder and a name in it, with all links resolved, where a file can be replaced. If `err` (an
// errno) is not 0, no folder was opened.
struct JailPlace {
    Fd folder;
    std::string name;
    int err = 0;
};
// Returns the folder and name of `path`, with all links followed inside `root`. The name need not
// exist. `err` is `EISDIR` for a path that ends with "/", "." or "..", and `ELOOP` after max_links
// links.
JailPlace place_in_jail(int root, std::string path, Resolver resolver);

}  // namespace rocenv
