// SPDX-License-Identifier: MIT
#include "os/state/node_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "os/fd.h"
#include "os/fs/posix_fs.h"
#include "util/mountinfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The folder or the nearest one above it that is there.
Fd nearest(std::string folder) {
    for (;;) {
        Fd opened(::open(folder.empty() ? "/" : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (opened || errno != ENOENT || folder.empty()) {
            return opened;
        }
        const auto slash = folder.find_last_of('/');
        const bool relative = slash == std::string::npos;
        folder = relative ? "." : folder.substr(0, slash);
    }
}

// "mnt_id:\t27" in /proc/self/fdinfo/N: exact, whatever links and names led there.
std::optional<std::string> mount_id_of(const Fd& folder) {
    const auto info = real_fs()->read("/proc/self/fdinfo/" + number(folder.get()));
    for (const auto line : split(info ? std::string_view(*info) : std::string_view(), '\n')) {
        if (line.starts_with("mnt_id:")) {
            return std::string(trim(line.substr(line.find(':') + 1)));
        }
    }
    return std::nullopt;
}

bool is_memory(std::string_view type) {
    return type == "tmpfs" || type == "ramfs" || type == "rootfs";
}

bool is_union(std::string_view type) {
    return type == "overlay" || type == "aufs" || type == "fuse.fuse-overlayfs" ||
           type == "fuse.unionfs";
}

bool holds_a_nodes_run(const Mount& mount) {
    const std::string udev = std::string(mount.point) + "/udev/data";
    return ::access(udev.c_str(), F_OK) == 0;
}

// Memory that is mounted whole, here or elsewhere in this container, was made for it, unless it
// holds what a node's /run does. A part of memory whose whole is not to be seen is the node's.
bool is_own_memory(const std::vector<Mount>& all, const Mount& mount) {
    const auto whole = std::find_if(all.begin(), all.end(), [&](const Mount& each) {
        return each.device == mount.device && each.root == "/";
    });
    return whole != all.end() && !holds_a_nodes_run(*whole);
}

Error not_here(const std::string& folder, const std::string& why) {
    return {ErrorKind::bad_input, 0, folder, printable(folder) + " is not on the node: " + why};
}

}  // namespace

std::optional<Error> not_of_the_node(const std::string& folder, OnRoot on_root) {
    const Fd opened = nearest(folder);
    if (!opened) {
        return errno_error("open", printable(folder), errno);
    }
    const auto id = mount_id_of(opened);
    const auto mounts = real_fs()->read("/proc/self/mountinfo");
    if (!id || !mounts) {
        return not_here(folder, "/proc/self/mountinfo cannot be read");
    }
    const auto all = parse_mountinfo(*mounts);
    const auto mount =
        std::find_if(all.begin(), all.end(), [&](const Mount& each) { return each.id == *id; });
    if (mount == all.end()) {
        return not_here(folder, "/proc/self/mountinfo does not name its mount");
    }
    if (on_root == OnRoot::will_not_do && mount->point == "/") {
        return not_here(folder, "no file system is mounted there");
    }
    if (is_union(mount->type)) {
        return not_here(folder, "the folder is on the container's own " + std::string(mount->type));
    }
    if (is_memory(mount->type) && is_own_memory(all, *mount)) {
        return not_here(folder, "the folder is on a memory file system of the container");
    }
    return std::nullopt;
}

}  // namespace rocenv
