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
// with not_trusted() for a link or a file on the way, and otherwise with the kind of the errno.
Result<Fd> open_folder(int from, const std::string& path, std::size_t make,
                       const std::string& shown);

// Returns not_trusted() if other users can change files in the folder. That is so if a user other
// than root and the effective one owns it, or if group or others may write to it. Returns
// std::nullopt if it is safe, and another error if its owner cannot be read.
std::optional<Error> not_ours(const Fd& folder, const std::string& shown);

// Returns the same for all folders above it up to the root, whose owners could replace the folder.
// A sticky folder may be writable, because other users can change only their own files in it.
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

// Writes a file by a temporary file and rename(2), so that readers see the old or the new content,
// also after an error. An existing file must be regular: devices and links fail with bad_input. Its
// mode is kept, and its owner if possible; set-id bits are removed. With FileReaders::owner, a file
// of another user fails with not_trusted(). Returns std::nullopt if the file was written and
// flushed.
std::optional<Error> write_file(const std::string& path, std::string_view content,
                                FileReaders readers = FileReaders::by_umask);

}  // namespace rocenv
