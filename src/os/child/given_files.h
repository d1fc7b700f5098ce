// SPDX-License-Identifier: MIT
// Files that a person gave and that only the process he started can read: a pipe (also one that a
// shell made of "<(…)"), standard input, a terminal. Helpers have none of the caller's descriptors,
// so these are read before one starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "os/child/wait_line.h"
#include "rocenv/fs.h"
#include "rocenv/result.h"

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

// What has an end only when somebody says so, whole: standard input, a pipe, a terminal.

// An Input with this end is waited for for ever.
inline constexpr std::int64_t no_end_ms = std::numeric_limits<std::int64_t>::max();

struct Input {
    int fd = -1;
    std::string path;         // what an error without an answer is about
    std::string shown;        // its name in texts
    std::size_t most = 0;     // bytes
    std::string too_large;    // what is said of more: "is larger than 1 MiB"
    std::int64_t end_ms = 0;  // by now_ms()
    std::string within;       // what is said of no end by then: "20 s"
};

// Up to its end. More than `most` is an error of kind garbled, no end in time one of kind
// timed_out. Who waits is told by `line`, where there is one.
Result<std::string> read_to_end(const Input& input, WaitLine* line);

// Waits for its end, so many seconds at most where nobody types it. More than 1 MiB is an error, as
// for a file.
Result<std::string> read_standard_input(double seconds);

// What paths are, asked by a process of its own: a file system that does not answer keeps that
// process, and nobody else.

enum class Looks {
    missing,  // or not to be seen: whoever opens it says why
    folder,
    regular,
    other,   // a pipe, a device
    silent,  // no answer in time
};

// Asked by this process itself: of a path that is known to answer.
Looks look(const std::string& path);

// One for each path, in their order; together they get `ms`. After the first that is silent all
// are. Where the process cannot be had, or dies, nothing is known: missing.
std::vector<Looks> looks_of(const std::vector<std::string>& paths, std::int64_t ms);

// Returns timed_out, of a path that is silent.
Error not_answering(const std::string& path);

// timed_out for the first of these that does not answer.
std::optional<Error> first_silent(const std::vector<std::string>& paths, std::int64_t ms);

}  // namespace rocenv
