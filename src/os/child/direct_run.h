// SPDX-License-Identifier: MIT
// Runs work in this process, without a fork, if no file that it reads may block. All file systems
// of the node must be local, and the work must not read files of drivers or other processes. KFD
// nodes are read by a small helper.
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

// The KFD topology, read by a small helper at once. This takes a third of the time of a helper for
// a whole command, because each page that one touches is copied or mapped again (2 µs on the
// measured machines).
struct KfdAhead {
    Result<std::vector<std::string>> names;  // folder names of the nodes, sorted by bytes
    // generation_id and properties of each node, by path. generation_id was equal before and after.
    std::map<std::string, Result<std::string>> files;
    static const std::string nodes;  // path of the folder
};

// A helper that could not be ended at once; without a pid there is none.
struct LeftBehind {
    pid_t helper = 0;
    std::string text;
    // Checks the helper again. Returns a sentence about it; empty if it has ended meanwhile.
    std::string still() const;
};

// Reads the KFD topology by a helper within `ms` milliseconds. `root` is put before each opened
// path, but not before the returned paths. Returns std::nullopt if the helper did not respond, if
// there are too many nodes, or if they changed during the read. Also if no second helper could be
// started (unshare(2) of process ids).
std::optional<KfdAhead> read_kfd_ahead(const std::string& root, std::int64_t ms, LeftBehind& left);

// Runs work that only reads and returns, with the real machine as both of its file systems. Returns
// std::nullopt if a file system of the node is not local, if the work touched a file that may
// block, or if it threw. Run it in a helper then. `left` is set if a small helper could not be
// ended at once.
std::optional<Output> run_directly(const Work& work, LeftBehind& left);

// Returns true if all file systems in the text of /proc/self/mounts are local. Mounts below /proc,
// /sys, /dev and /run are ignored, because the work does not read them here. Unknown types and an
// empty text are not local.
bool all_local(std::string_view mounts);

// Returns true if a read of the file may block: it belongs to a driver, a device or another
// process. These are /dev, /run, /proc/PID and /sys without the list of PCI functions and their
// modalias. Files of KFD do not count: they are read by the small helper, or missing without KFD.
bool may_keep_silent(std::string_view path);

}  // namespace rocenv
