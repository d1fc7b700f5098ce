// SPDX-License-Identifier: MIT
// A folder for files of a program that runs as root. It is reached without symbolic links, and only
// its owner can change it.
#pragma once

#include <sys/stat.h>
#include <optional>
#include <string>
#include <string_view>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

// A guard that sets the umask to 0, so that new files have exactly the requested mode.
class NoUmask {
   public:
    NoUmask() : before_(::umask(0)) {}
    ~NoUmask() { ::umask(before_); }
    NoUmask(const NoUmask&) = delete;
    NoUmask& operator=(const NoUmask&) = delete;

   private:
    mode_t before_;
};

// Opens `path`, name by name from the folder `from`, without following links. Up to `make` missing
// folders at its end are created with mode 0755. `shown` is the folder's name in messages. Fails
// with not_here, not_permitted, io, or with bad_input for a link or a file.
Result<Fd> open_folder(int from, const std::string& path, std::size_t make,
                       const std::string& shown);

// Returns an error if other users can change files in the folder: it belongs to another user, or
// group or others may write to it. Returns std::nullopt if it is safe.
std::optional<Error> not_ours(const Fd& folder, const std::string& shown);

// Returns an error if other users can replace the folder: checks all folders above it up to the
// root. In a sticky folder, other users can change only their own files.
std::optional<Error> not_ours_above(const Fd& folder, const std::string& shown);

// Copies owner, group and mode of the replaced file to a new one, without set-id bits. If owner or
// group cannot be set, their permissions are dropped. Returns 0 or an errno.
int take_rights(const Fd& file, const struct stat& old);

// Flushes a file to disk. Returns 0 or an errno; file systems without fsync count as success.
int sync(const Fd& file);

// Writes all bytes and continues after short writes. Returns 0 or an errno.
int write_all(const Fd& file, std::string_view bytes);

// Atomic writes of user files.

// The users that may read a new file: all that the umask allows, or only the owner.
enum class FileReaders { by_umask, owner };

// Writes a file by a temporary file and rename(2), so that readers see the old or the new content.
// An existing file must be regular: devices and links are rejected. Its mode is kept, and its owner
// if possible; set-id bits are removed. With FileReaders::owner, a file of another user is not
// replaced.
std::optional<Error> write_file(const std::string& path, std::string_view content,
                                FileReaders readers = FileReaders::by_umask);

}  // namespace rocenv
