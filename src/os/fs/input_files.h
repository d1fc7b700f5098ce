// SPDX-License-Identifier: MIT
// Large numbers of user files, read in pieces by this process. Lists the files of a folder, and
// reads a file, a pipe or standard input to the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "os/fd.h"
#include "rocenv/fs.h"
#include "rocenv/result.h"

namespace rocenv {

// Limits of the number of files and of the depth of folders.
inline constexpr std::size_t most_input_files = 1000000;
inline constexpr int deepest_input_folder = 16;

// The files below a folder.
struct InputFiles {
    std::vector<std::string> files;    // regular files and dangling links, by name in each folder
    std::vector<std::string> special;  // pipes, devices and sockets, which are not opened
    std::vector<Error> errors;         // errors of unreadable folders
};

// Returns all files below `folder`, whose path begins theirs. Links to files are followed, links to
// folders are not. Names that begin with a dot are skipped. Beyond the limits, the rest is left out
// and an error states that.
InputFiles files_below(const std::string& folder);

// Returns the modification time in seconds since 1970, with links followed; std::nullopt if it is
// unknown.
std::optional<std::int64_t> written_at(const std::string& path);

// An open input file, pipe or standard input.
class InputStream {
   public:
    // Opens a path; "-" is standard input. A pipe is read as long as it has a writer. The wait for
    // the first byte of a named pipe is limited to `wait`, which is reduced by the time used. Fails
    // with `timed_out` if no byte arrives, else with the kind of the errno. A folder is opened, and
    // its read() fails with io.
    static Result<InputStream> open(const std::string& path, std::chrono::milliseconds& wait);

    // Appends bytes to `into` until there are `most` or the stream ends. Returns their number; 0 at
    // the end. After an error `into` has the bytes so far.
    Result<std::size_t> read(std::string& into, std::size_t most);

    // Opens a file of a folder. Fails with `bad_input`, without waiting, if it is not a regular
    // file, else with the kind of the errno.
    static Result<InputStream> open_regular(const std::string& path);

   private:
    InputStream(std::string path, std::optional<Fd> file)
        : path_(std::move(path)), file_(std::move(file)) {}
    std::string path_;
    std::optional<Fd> file_;  // std::nullopt: standard input
};

// Returns the whole file, read in pieces by Fs::read_at(). Fails with its errors, or with
// `bad_input` if the file is larger than `most_mib` MiB.
Result<std::string> read_in_pieces(const Fs& fs, const std::string& path, std::size_t most_mib);

}  // namespace rocenv
