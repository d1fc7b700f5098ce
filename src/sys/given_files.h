// SPDX-License-Identifier: MIT
// Files that a person gave and that only the process he started can read: a pipe (also one that a
// shell made of "<(…)"), standard input, a terminal. Helpers have none of the caller's descriptors,
// so these are read before one starts.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

class GivenFiles {
   public:
    GivenFiles() = default;

    // Reads those of `paths` that are no regular files, or reach one by a descriptor (/dev/stdin,
    // /dev/fd/N, /proc/self/fd/N), to their end, each at most 1 MiB. What has no end within
    // `seconds` in all is an error of kind timed_out, what holds nothing and is no regular file one
    // of kind bad_input: both are what a later read of that path is answered.
    GivenFiles(const std::vector<std::string>& paths, double seconds);

    // `host`, which must outlive it, with these files in it.
    std::unique_ptr<WritableFs> over(const Fs& host) const;

   private:
    std::map<std::string, Result<std::string>> texts_;
};

}  // namespace rocenv
