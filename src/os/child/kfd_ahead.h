// SPDX-License-Identifier: MIT
// The part of KFD's topology that says which GPUs there are, read by a small helper in one go. It
// costs a third of what a helper does that a whole command runs in: each page that one touches is
// copied or mapped anew (2 µs, on the machines where it was measured).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

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

}  // namespace rocenv
