// SPDX-License-Identifier: MIT
// A folder that a program of root's may keep files in: reached without following any symbolic link,
// and nobody else's to change.
#pragma once

#include <sys/stat.h>
#include <optional>
#include <string>
#include <string_view>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

// While it lives, what is made has the mode that was asked for, whatever the caller's umask takes.
class NoUmask {
   public:
    NoUmask() : before_(::umask(0)) {}
    ~NoUmask() { ::umask(before_); }
    NoUmask(const NoUmask&) = delete;
    NoUmask& operator=(const NoUmask&) = delete;

   private:
    mode_t before_;
};

// Walks `path` name by name from the folder `from`, following no link. Of its last names, up to
// `make` that are missing are made with mode 0755. `shown` is the folder's name for a person.
// Kinds of error: not_here, not_permitted, io, and bad_input for a link or what is no folder.
Result<Fd> open_folder(int from, const std::string& path, std::size_t make,
                       const std::string& shown);

// Why files in it are not safe from others: it belongs to somebody else, or group or others may
// write to it. Nothing: they are.
std::optional<Error> not_ours(const Fd& folder, const std::string& shown);

// The same of all folders above it, up to the root: who may change one of those can put another
// folder in its place. Of a folder with the sticky bit others may change only what is theirs.
std::optional<Error> not_ours_above(const Fd& folder, const std::string& shown);

// Gives a new file the owner, group and mode of the one it replaces, but for the bits that would
// lend the owner's rights to others. Where owner or group cannot be given away, what they may do is
// left out. 0 or the errno.
int take_rights(const Fd& file, const struct stat& old);

// 0 or the errno; file systems that cannot do it count as done.
int sync(const Fd& file);

// 0 or the errno; goes on after a short write.
int write_all(const Fd& file, std::string_view bytes);

// Writes a file of the caller's, whole or not at all.

// Who may read a new file: whom the umask lets, or its owner alone.
enum class FileReaders { by_umask, owner };

// Writes beside it and renames, so that a reader sees the old content or the new one. What is there
// already must be a regular file: a device or a link is not replaced. Its mode stays, and where the
// caller may give it away, its owner; set-id bits go. What is for its owner alone does not replace
// somebody else's file.
std::optional<Error> write_file(const std::string& path, std::string_view content,
                                FileReaders readers = FileReaders::by_umask);

}  // namespace rocenv
