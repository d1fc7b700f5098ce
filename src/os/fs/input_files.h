// SPDX-License-Identifier: MIT
// Files of people's by the thousand, read in pieces by this process: what a folder holds, and the
// bytes of a file, a pipe or standard input up to their end.
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

// What may stand in one folder and those below it at most.
inline constexpr std::size_t most_input_files = 1000000;
inline constexpr int deepest_input_folder = 16;

struct InputFiles {
    std::vector<std::string> files;    // regular files, sorted by name
    std::vector<std::string> special;  // pipes, devices, sockets: these are not opened
    std::vector<Error> errors;         // of folders that cannot be read
};

// All below `folder`, links to files followed and links to folders not; names that begin with a
// dot are left out.
InputFiles files_below(const std::string& folder);

// When a file was written last, in seconds since 1970; nothing where that cannot be told.
std::optional<std::int64_t> written_at(const std::string& path);

class InputStream {
   public:
    // "-" is standard input. A pipe is waited for as long as somebody writes to it. For the first
    // byte of one that has a name no longer than `wait`, from which the time is taken: then it is
    // an error of kind timed_out. bad_input: it is a folder.
    static Result<InputStream> open(const std::string& path, std::chrono::milliseconds& wait);

    // Adds up to `most` bytes to `into`; 0: it ended.
    Result<std::size_t> read(std::string& into, std::size_t most);

    // The same, for a file of a folder: what is no regular file is bad_input and never waited for.
    static Result<InputStream> open_regular(const std::string& path);

   private:
    InputStream(std::string path, std::optional<Fd> file)
        : path_(std::move(path)), file_(std::move(file)) {}
    std::string path_;
    std::optional<Fd> file_;  // nothing: standard input
};

// The whole file, read in pieces to its end. Errors: those of reading, and bad_input for more than
// `most_mib` MiB.
Result<std::string> read_in_pieces(const Fs& fs, const std::string& path, std::size_t most_mib);

}  // namespace rocenv
