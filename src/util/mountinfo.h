// SPDX-License-Identifier: MIT
// The lines of /proc/PID/mountinfo (man 5 proc_pid_mountinfo).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// One mount. The texts refer to the file's text, with \040 for a blank.
struct Mount {
    std::string_view id;
    std::string_view device;  // "0:27"
    std::string_view root;    // mounted folder of the file system
    std::string_view point;   // mount point
    std::string_view type;    // "ext4", "nfs4", "fuse.glusterfs"
};

// Returns the mounts in the order of the file; invalid lines are skipped. `text` must outlive them.
std::vector<Mount> parse_mountinfo(std::string_view text);

// Returns the mount of an absolute path: the deepest mount point above it, the newest of several at
// one point. Returns std::nullopt if there is none.
std::optional<Mount> mount_of(const std::vector<Mount>& mounts, std::string_view path);

// Returns true if other nodes may share the file system, by a list of types (NFS, Lustre, GPFS and
// similar). A type outside of the list counts as local.
bool is_network(const Mount& mount);

}  // namespace rocenv
