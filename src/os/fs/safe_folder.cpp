// SPDX-License-Identifier: MIT
#include "os/fs/safe_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <cerrno>
#include <filesystem>
#include <utility>
#include <vector>

#include "os/fd.h"
#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

Error will_not_keep(const std::string& shown, const std::string& why) {
    return not_trusted(shown, "will not keep files in " + printable(shown) + ": " + why);
}

Error cannot_open(const std::string& shown, int err) {
    if (err == ENOTDIR || err == ELOOP) {
        return will_not_keep(shown, "a symbolic link or no folder is on the way");
    }
    return errno_error("open", printable(shown), err);
}

// Creates a folder. Returns 0, also if another process created it meanwhile, or an errno.
int make_folder(const Fd& above, const std::string& name) {
    constexpr mode_t mode = 0755;
    const NoUmask own_mode;
    if (::mkdirat(above.get(), name.c_str(), mode) != 0) {
        return errno == EEXIST ? 0 : errno;
    }
    const Fd entry(::openat(above.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return entry ? sync(entry) : 0;
}

enum class Sticky { protects, makes_no_difference };

std::optional<std::string> why_not_ours(const struct stat& folder, Sticky sticky) {
    if (folder.st_uid != ::geteuid() && folder.st_uid != 0) {
        return "belongs to user " + number(folder.st_uid);
    }
    const bool kept = sticky == Sticky::protects && (folder.st_mode & S_ISVTX) != 0;
    return (folder.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !kept
               ? std::optional<std::string>("can be written to by its group or others")
               : std::nullopt;
}

}  // namespace

Result<Fd> open_folder(int from, const std::string& path, std::size_t make,
                       const std::string& shown) {
    std::vector<std::string> names;
    for (const auto name : split(path, '/')) {
        if (!name.empty() && name != ".") {
            names.emplace_back(name);
        }
    }
    constexpr int flags = O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    // O_PATH for parents: they need not be readable.
    Fd here(::openat(from, ".", (names.empty() ? O_RDONLY : O_PATH) | flags));
    for (std::size_t at = 0; here && at < names.size(); ++at) {
        const int how = flags | (at + 1 == names.size() ? O_RDONLY : O_PATH);
        Fd next(::openat(here.get(), names[at].c_str(), how));
        if (!next && errno == ENOENT && at + make >= names.size()) {
            if (const int err = make_folder(here, names[at]); err != 0) {
                return errno_error("make", printable(shown), err);
            }
            next = Fd(::openat(here.get(), names[at].c_str(), how));
        }
        here = std::move(next);
    }
    if (!here) {
        return cannot_open(shown, errno);
    }
    return here;
}

std::optional<Error> not_ours(const Fd& folder, const std::string& shown) {
    struct stat status {};
    if (::fstat(folder.get(), &status) != 0) {
        return errno_error("access", printable(shown), errno);
    }
    const auto why = why_not_ours(status, Sticky::makes_no_difference);
    return why ? std::optional(will_not_keep(shown, "it " + *why)) : std::nullopt;
}

std::optional<Error> not_ours_above(const Fd& folder, const std::string& shown) {
    constexpr int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
    struct stat below {};
    struct stat status {};
    Fd here(::openat(folder.get(), ".", flags));
    int above = 0;
    for (; here && ::fstat(here.get(), &status) == 0; ++above) {
        if (above > 0 && status.st_ino == below.st_ino && status.st_dev == below.st_dev) {
            return std::nullopt;  // the root is its own parent
        }
        const auto why =
            above > 0 ? why_not_ours(status, Sticky::protects) : std::optional<std::string>();
        if (why) {
            return will_not_keep(shown, "the folder " +
                                            (above == 1 ? std::string("above it")
                                                        : number(above) + " levels above it") +
                                            " " + *why);
        }
        below = status;
        here = Fd(::openat(here.get(), "..", flags));
    }
    return errno_error("look above", printable(shown), errno);
}

int take_rights(const Fd& file, const struct stat& old) {
    mode_t rights = 0777;
    if (::fchown(file.get(), old.st_uid, old.st_gid) != 0) {
        rights = old.st_uid == ::geteuid() ? 0707 : 0700;
    }
    return ::fchmod(file.get(), old.st_mode & rights) == 0 ? 0 : errno;
}

int sync(const Fd& file) {
    return ::fsync(file.get()) == 0 || errno == EINVAL ? 0 : errno;
}

int write_all(const Fd& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            return errno;
        }
        bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return 0;
}

std::optional<Error> write_file(const std::string& path, std::string_view content,
                                FileReaders readers) {
    struct stat status {};
    const bool replaces = ::lstat(path.c_str(), &status) == 0;
    if (replaces && readers == FileReaders::owner && status.st_uid != ::geteuid()) {
        return not_trusted(path, "cannot replace " + in_quotes(path, 200) +
                                     ": its owner is another user, who could read it");
    }
    if (replaces && !S_ISREG(status.st_mode)) {
        return Error{ErrorKind::bad_input, 0, path,
                     "cannot replace " + in_quotes(path, 200) + ": not a regular file"};
    }
    const std::string beside = path + "." + number(::getpid()) + ".new";
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const bool open_to_all = readers == FileReaders::by_umask && !replaces;
    const Fd file(::open(beside.c_str(), flags, open_to_all ? 0666 : 0600));
    if (!file) {
        return errno_error("write", printable(path), errno);
    }
    int err = write_all(file, content);
    if (readers == FileReaders::owner) {
        status.st_mode &= S_IRWXU;
    }
    err = err == 0 && replaces ? take_rights(file, status) : err;
    err = err == 0 ? sync(file) : err;
    if (err == 0) {
        std::error_code failed;
        std::filesystem::rename(beside, path, failed);
        err = failed.value();
    }
    if (err == 0) {
        return std::nullopt;
    }
    ::unlink(beside.c_str());
    return errno_error("write", printable(path), err);
}

}  // namespace rocenv
