// SPDX-License-Identifier: MIT
// Files that a person gave and that only the process he started can read: a pipe (also one that a
// shell made of "<(…)"), standard input, a terminal. Helpers have none of the caller's descriptors,
// so these are read before one starts.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

class GivenFiles {
   public:
    GivenFiles() = default;

    // What root accepts. A regular file is judged when it is read (Fs::read_trusted).
    enum class ForRoot { any, regular };
    struct File {
        std::string path;
        std::size_t most_mib;  // of its kind
        ForRoot for_root = ForRoot::any;
    };

    // Reads those of `files` that are no regular files, or reach one by a descriptor (/dev/stdin,
    // /dev/fd/N, /proc/self/fd/N), to their end. What is larger than its kind may be is an error of
    // kind garbled, and so is what brings all of them over 16 MiB; what has no end within `seconds`
    // in all one of kind timed_out, what holds nothing and is no regular file one of kind
    // bad_input, what root does not accept one of not_trusted(): a later read of that path is
    // answered so.
    GivenFiles(const std::vector<File>& files, double seconds);

    // `host`, which must outlive it, with these files in it.
    std::unique_ptr<WritableFs> over(const Fs& host) const;

   private:
    std::map<std::string, Result<std::string>> texts_;
};

}  // namespace rocenv
