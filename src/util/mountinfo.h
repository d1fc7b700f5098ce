// SPDX-License-Identifier: MIT
// The lines of /proc/PID/mountinfo (man 5 proc_pid_mountinfo).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// One mount. The texts point into the file's text, with \040 for a blank.
struct Mount {
    std::string_view id;
    std::string_view device;  // "0:27"
    std::string_view root;    // the folder of the file system that is mounted
    std::string_view point;   // where
    std::string_view type;    // "ext4", "nfs4", "fuse.glusterfs"
};

// Returns the mounts in the order of the file, without lines that are not valid. `text` must
// outlive them.
std::vector<Mount> parse_mountinfo(std::string_view text);

// Returns the mount that an absolute path lies on: the deepest mount point above it, the newest of
// several at one point. std::nullopt if there is none.
std::optional<Mount> mount_of(const std::vector<Mount>& mounts, std::string_view path);

// Returns whether other nodes may share the file system (NFS, Lustre, GPFS and the like).
bool is_network(const Mount& mount);

}  // namespace rocenv
