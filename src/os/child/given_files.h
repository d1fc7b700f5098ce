// SPDX-License-Identifier: MIT
// Files that the user gave and that only the process he started can read: a pipe (also "<(…)" of a
// shell), standard input, a terminal. Helpers have no descriptors of the caller, so these files are
// read before one starts.
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

// The user's files, read before a helper starts.
class GivenFiles {
   public:
    GivenFiles() = default;

    // Files that root accepts. Owner and mode of a regular file are checked on read
    // (Fs::read_trusted).
    enum class ForRoot { any, regular };
    struct File {
        std::string path;
        std::size_t most_mib;  // size limit in MiB
        ForRoot for_root = ForRoot::any;
    };

    // Reads those of `files` to their end that are not regular or are named by a descriptor
    // (/dev/stdin, /dev/fd/N, /proc/self/fd/N). Errors are returned by later reads of the path.
    // `garbled`: above the limit of the file, or 16 MiB in total. `timed_out`: no end within
    // `seconds` in total. `bad_input`: not a regular file and empty. not_trusted(): not accepted
    // for root.
    GivenFiles(const std::vector<File>& files, double seconds);

    // Returns a file system with these files above `host`. Both `host` and this object must outlive
    // it. Every write() fails with `EROFS`. read_trusted() returns a file that is named by a
    // descriptor, and rejects a named pipe.
    std::unique_ptr<WritableFs> over(const Fs& host) const;

   private:
    std::map<std::string, Result<std::string>> texts_;
};

// Reads a stream (stdin, pipe or terminal) to its end, with limits for size and time.

// An end_ms that waits without limit.
inline constexpr std::int64_t no_end_ms = std::numeric_limits<std::int64_t>::max();

// The stream, and its limits.
struct Input {
    int fd = -1;
    std::string path;         // path in errors
    std::string shown;        // name in texts
    std::size_t most = 0;     // bytes
    std::string too_large;    // text for a larger stream: "is larger than 1 MiB"
    std::int64_t end_ms = 0;  // deadline on the clock of now_ms()
    std::string within;       // time limit as text: "20 s"
};

// Reads to the end. Fails with `garbled` above `most` bytes, with `timed_out` at `end_ms`, and with
// the kind of the errno of read(2). `line`, if not nullptr, shows the wait.
Result<std::string> read_to_end(const Input& input, WaitLine* line);

// Reads standard input to its end. `seconds` is the time limit if it is not a terminal; a terminal
// has none. Fails like read_to_end(), with 1 MiB as the limit.
Result<std::string> read_standard_input(double seconds);

// Types of paths, read by a separate process, because a file system that does not respond blocks
// that process.

// The type of a path.
enum class PathKind {
    missing,  // or inaccessible: the open reports the reason
    folder,
    regular,
    other,   // pipe or device
    silent,  // no response in time
};

// Returns the type of a path in this process, with links followed. The path must be known to
// respond.
PathKind path_kind(const std::string& path);

// Returns the types of paths, in order, within `ms` milliseconds in total. After the first silent
// path all are silent. If the process cannot start or dies, the types are `missing`.
std::vector<PathKind> path_kinds(const std::vector<std::string>& paths, std::int64_t ms);

// Returns the error `timed_out` for a silent path.
Error not_answering(const std::string& path);

// Returns `timed_out` for the first path that does not respond within `ms` milliseconds in total;
// std::nullopt if all respond.
std::optional<Error> first_silent(const std::vector<std::string>& paths, std::int64_t ms);

}  // namespace rocenv
