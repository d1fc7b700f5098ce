// SPDX-License-Identifier: MIT
#include "sys/state_folder.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <utility>

#include "sys/posix_fs.h"
#include "sys/safe_folder.h"
#include "sys/shared_log.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* journal_name = "journal";
constexpr const char* lock_name = "lock";
constexpr unsigned journal_mode = 0644;
// Who can open a file can hold its flock(2), so nobody else can open it.
constexpr unsigned lock_mode = 0600;
constexpr std::size_t largest_journal = std::size_t{64} << 20;
constexpr int safe_flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

struct Start {
    Fd from;
    std::string path;
    std::string shown;
    std::size_t make = 0;
};

Result<Start> start_of(const std::optional<std::string>& sysroot,
                       const std::optional<std::string>& state) {
    const auto in = [](const char* folder) {
        return Fd(::open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
    };
    if (state) {
        return Start{in(state->starts_with('/') ? "/" : "."), *state, *state, 1};
    }
    if (!sysroot) {
        return Start{in("/"), "run/rocenv", "/run/rocenv", 1};
    }
    auto root = open_sysroot(*sysroot);
    if (!root) {
        return root.error();
    }
    return Start{std::move(root).value(), "run/rocenv",
                 *sysroot + (sysroot->ends_with('/') ? "" : "/") + "run/rocenv", 2};
}

Result<std::string> read_all(const Fd& file, const std::string& path) {
    std::string content;
    std::array<char, 65536> part;
    for (;;) {
        const ssize_t got = ::read(file.get(), part.data(), part.size());
        if (got < 0 && errno != EINTR) {
            return errno_error("read", path, errno);
        }
        if (got == 0) {
            return content;
        }
        content.append(part.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
        if (content.size() > largest_journal) {
            return garbled(path, "is larger than 64 MiB");
        }
    }
}

std::string holder_in(const Fd& lock) {
    std::array<char, 512> text{};
    const ssize_t got = ::pread(lock.get(), text.data(), text.size(), 0);
    const auto line = trim({text.data(), static_cast<std::size_t>(got < 0 ? 0 : got)});
    return line.empty() ? "another process" : printable(line.substr(0, line.find('\n')));
}

// Only for those who wait: a lock without it is a lock.
void sign(const Fd& lock, const Holder& self) {
    const std::string line = number(::getpid()) + " " + self.user + " " + self.command + "\n";
    if (::ftruncate(lock.get(), 0) == 0) {
        write_all(lock, line);
    }
}

}  // namespace

Result<std::unique_ptr<StateFolder>> StateFolder::open(const std::optional<std::string>& sysroot,
                                                       const std::optional<std::string>& state,
                                                       Mode mode) {
    auto start = start_of(sysroot, state);
    if (!start) {
        return start.error();
    }
    const bool write = mode == Mode::write;
    auto folder =
        open_folder(start->from.get(), start->path, write ? start->make : 0, start->shown);
    if (!folder && (write || !folder.is(ErrorKind::not_here))) {
        return folder.error();
    }
    if (auto error = write ? not_ours(*folder, start->shown) : std::nullopt) {
        return *std::move(error);
    }
    return std::unique_ptr<StateFolder>(
        new StateFolder(folder ? std::move(folder).value() : Fd(), start->shown));
}

Result<Fd> StateFolder::open_own(const char* file, int flags, unsigned mode) const {
    const std::string path = path_of(file);
    if (!folder_) {
        return errno_error("open", printable(path), ENOENT);
    }
    Fd opened(::openat(folder_.get(), file, flags | safe_flags, mode));
    struct stat status {};
    if (!opened || ::fstat(opened.get(), &status) != 0) {
        if (errno == ELOOP) {
            return Error{ErrorKind::bad_input, ELOOP, path,
                         "will not open " + printable(path) + ": it is a symbolic link"};
        }
        return errno_error("open", printable(path), errno);
    }
    const bool ours = status.st_uid == ::geteuid() || status.st_uid == 0;
    const bool reads = (flags & O_ACCMODE) == O_RDONLY;
    if (!S_ISREG(status.st_mode) || (!reads && (!ours || status.st_nlink != 1))) {
        return Error{ErrorKind::bad_input, 0, path,
                     "will not use " + printable(path) +
                         ": it is no regular file of this user's with one name"};
    }
    return opened;
}

Result<std::string> StateFolder::load() const {
    const auto file = open_own(journal_name, O_RDONLY, 0);
    return file ? read_all(*file, path_of(journal_name)) : file.error();
}

std::optional<Error> StateFolder::append(std::string_view text) {
    auto file = open_own(journal_name, O_WRONLY | O_APPEND | O_CREAT | O_EXCL, journal_mode);
    const bool created = file.ok();
    if (!created && file.error().err == EEXIST) {
        file = open_own(journal_name, O_WRONLY | O_APPEND, 0);
    }
    if (!file) {
        return file.error();
    }
    struct stat before {};
    int err = ::fstat(file->get(), &before) == 0 ? 0 : errno;
    if (err == 0 && created) {  // the umask may have taken bits
        err = ::fchmod(file->get(), journal_mode) == 0 ? 0 : errno;
    }
    err = err == 0 ? write_all(*file, text) : err;
    err = err == 0 ? sync(*file) : err;
    err = err == 0 && created ? sync(folder_) : err;
    if (err == 0) {
        return std::nullopt;
    }
    std::string also;
    const int undone = created ? ::unlinkat(folder_.get(), journal_name, 0)
                               : ::ftruncate(file->get(), before.st_size);
    if (undone != 0) {
        also = "; a part of the record stays";
    }
    Error error = errno_error("write", printable(path_of(journal_name)), err);
    error.text += also;
    return error;
}

std::optional<Error> StateFolder::cut(std::size_t size) {
    const auto file = open_own(journal_name, O_WRONLY, 0);
    if (!file) {
        return file.error();
    }
    int err = ::ftruncate(file->get(), static_cast<off_t>(size)) == 0 ? 0 : errno;
    err = err == 0 ? sync(*file) : err;
    return err == 0 ? std::nullopt
                    : std::optional(errno_error("shorten", printable(path_of(journal_name)), err));
}

std::optional<Error> StateFolder::discard() {
    const bool gone = !folder_ || ::unlinkat(folder_.get(), journal_name, 0) == 0;
    const int err = gone ? 0 : errno;
    if (err == ENOENT || !folder_) {
        return std::nullopt;
    }
    const int failed = err == 0 ? sync(folder_) : err;
    return failed == 0
               ? std::nullopt
               : std::optional(errno_error("remove", printable(path_of(journal_name)), failed));
}

bool StateFolder::is_dead(const std::string& hold) const {
    return is_known_dead(folder_.get(), hold);
}

Result<Fd> StateFolder::lock(double patience_seconds, const Holder& self, const Waiting& waiting,
                             const std::function<bool()>& interrupted) const {
    const std::string path = path_of(lock_name);
    auto file = open_own(lock_name, O_RDWR | O_CREAT, lock_mode);
    if (!file) {
        return file.error();
    }
    constexpr int pause_ms = 20;
    const std::int64_t end = now_ms() + static_cast<std::int64_t>(patience_seconds * 1000);
    for (int attempt = 0; ::flock(file->get(), LOCK_EX | LOCK_NB) != 0; ++attempt) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return errno_error("lock", printable(path), errno);
        }
        if (interrupted && interrupted()) {
            return errno_error("lock", printable(path), EINTR);
        }
        if (attempt == 1 && waiting) {  // not at once: who has just got it has yet to sign
            waiting(holder_in(*file));
        }
        if (now_ms() >= end) {
            return Error{ErrorKind::timed_out, 0, path,
                         printable(path) + " is held by " + holder_in(*file)};
        }
        ::poll(nullptr, 0, pause_ms);
    }
    sign(*file, self);
    return file;
}

}  // namespace rocenv
