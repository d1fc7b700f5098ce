// SPDX-License-Identifier: MIT
// Runs a piece of work in this process where nothing that it asks can keep silent: on a node whose
// file systems are all local, as long as it asks for no file of a driver or of another process but
// for KFD's nodes, which a small helper reads. It saves a fork of all that the work needs.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "os/child/supervise.h"
#include "rocenv/result.h"

namespace rocenv {

// The part of KFD's topology that says which GPUs there are, read by a small helper in one go. It
// costs a third of what a helper does that a whole command runs in: each page that one touches is
// copied or mapped anew (2 µs, on the machines where it was measured).
struct KfdAhead {
    Result<std::vector<std::string>> names;  // of the folder of nodes, sorted by bytes
    // generation_id and properties of each node, by path. The former was the same before and after.
    std::map<std::string, Result<std::string>> files;
    static const std::string nodes;  // the folder's path
};

// A helper that could not be ended at once. Nobody: it was.
struct LeftBehind {
    pid_t helper = 0;
    std::string text;
    // Looks again. Returns the sentence about it; empty: it has gone meanwhile.
    std::string still() const;
};

// Reads by a helper that has so many milliseconds. `root` stands before each path it opens, not
// before those in the answer. Nothing: it did not answer, there are too many nodes, or they changed
// meanwhile; or no second helper could be started after this one (unshare(2) of process ids).
std::optional<KfdAhead> read_kfd_ahead(const std::string& root, std::int64_t ms, LeftBehind& left);

// Work that only reads and returns: it is begun here and given up where it asks for something that
// may keep silent. Nothing: it was, and needs a helper. `left`: a small helper that could
// not be ended at once.
std::optional<Output> run_directly(const Work& work, LeftBehind& left);

// Whether every file system of this /proc/self/mounts answers by itself. What is mounted for the
// kernel or for a session (/proc, /sys, /dev, /run) is not asked here, and does not count.
bool all_local(std::string_view mounts);

// Whether a file may keep silent: it is a driver's, a device's or another process'. KFD's are not
// asked about where there is KFD, and are missing at once elsewhere.
bool may_keep_silent(std::string_view path);

}  // namespace rocenv
