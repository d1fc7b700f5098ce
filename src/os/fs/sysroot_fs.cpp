// SPDX-License-Identifier: MIT
#include "os/fs/sysroot_fs.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "os/emulation/kernel_rules.h"
#include "os/fs/forwarding_fs.h"
#include "os/fs/posix_fs.h"
#include "os/fs/safe_folder.h"
#include "util/text.h"

namespace rocenv {

namespace {

// The only folders of the real machine with writable files.
constexpr std::array<std::string_view, 2> written_folders{"/sys", "/proc/sys"};

Error will_not(const std::string& path, const std::string& why) {
    const std::string shown = printable(path);
    return {ErrorKind::bad_input, 0, shown, "will not write " + shown + ": " + why};
}

class RealWritableFs final : public ForwardingFs {
   public:
    RealWritableFs(std::string top, Resolver resolver)
        : top_(std::move(top)), resolver_(resolver) {}

    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override {
        const auto opened = open_file(path);
        if (!opened) {
            return opened.error();
        }
        const Fd& file = *opened;
        const ssize_t taken =
            offset ? ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(*offset))
                   : ::write(file.get(), bytes.data(), bytes.size());
        if (taken < 0) {
            return errno_error("write", path, errno);
        }
        if (static_cast<std::size_t>(taken) != bytes.size()) {
            return Error{ErrorKind::io, EIO, path,
                         "cannot write " + path + ": the kernel wrote " + number(taken) + " of " +
                             number(bytes.size()) + " bytes"};
        }
        return std::nullopt;
    }

   private:
    const Fs& inner() const override { return *reader_; }

    Result<Fd> open_file(const std::string& path) const {
        for (const auto folder : written_folders) {
            if (path.starts_with(std::string(folder) + "/")) {
                return open_in(std::string(folder), path);
            }
        }
        return will_not(path, "it is neither below /sys nor below /proc/sys");
    }

    Result<Fd> open_in(const std::string& folder, const std::string& path) const {
        const Fd at(::open((top_ + folder).c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!at) {
            return errno_error("write", path, errno);
        }
        const int fd = open_beneath(at.get(), path.substr(folder.size() + 1),
                                    O_WRONLY | O_CLOEXEC | O_NOCTTY, resolver_);
        if (fd == -EXDEV) {
            return will_not(path, "it leads out of " + folder);
        }
        return fd < 0 ? errno_error("write", path, -fd) : Result<Fd>(Fd(fd));
    }

    std::string top_;
    Resolver resolver_;
    std::unique_ptr<Fs> reader_ = real_fs();
};

constexpr const char* scratch_path = "run/rocenv";
constexpr std::string_view scratch_prefix = ".new-";

// A file of the scratch folder, removed with this object unless it was renamed. A lock on it shows
// that its writer lives.
class Scratch {
   public:
    explicit Scratch(const Fd& folder) : folder_(folder) {
        constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        constexpr int most_writers = 100;
        for (int attempt = 0; attempt < most_writers && !file_; ++attempt) {
            name_ = std::string(scratch_prefix) + number(::getpid()) + "-" + number(attempt);
            file_ = Fd(::openat(folder.get(), name_.c_str(), flags, 0600));
            if (!file_ && errno != EEXIST) {
                return;
            }
        }
        if (file_) {
            ::flock(file_.get(), LOCK_EX | LOCK_NB);
        }
    }
    ~Scratch() {
        if (file_) {
            ::unlinkat(folder_.get(), name_.c_str(), 0);
        }
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const Fd& file() const { return file_; }
    // Renames the file to its final name. Returns 0 or an errno.
    int become(const JailPlace& place) {
        // renameat(2) is declared only by stdio
        if (::syscall(SYS_renameat2, folder_.get(), name_.c_str(), place.folder.get(),
                      place.name.c_str(), 0) != 0) {
            return errno;
        }
        file_.close();
        return 0;
    }

   private:
    const Fd& folder_;
    std::string name_;
    Fd file_;
};

// Returns true if the writer of this file is gone. A killed process may keep its lock for a short
// time.
bool is_left_behind(const Fd& file) {
    constexpr int attempts = 20;
    constexpr int pause_ms = 10;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
            return true;
        }
        ::poll(nullptr, 0, pause_ms);
    }
    return false;
}

// Removes the files of writers that died.
void clean(const Fd& folder) {
    const auto names = fs_in_folder(Fd(::fcntl(folder.get(), F_DUPFD_CLOEXEC, 0)))->list("/");
    for (const auto& name : names ? *names : std::vector<std::string>()) {
        if (!name.starts_with(scratch_prefix)) {
            continue;
        }
        const Fd file(
            ::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file && is_left_behind(file)) {
            ::unlinkat(folder.get(), name.c_str(), 0);
        }
    }
}

bool is_kernel_file(int fd) {
    struct statfs status {};
    return ::fstatfs(fd, &status) == 0 &&
           (status.f_type == SYSFS_MAGIC || status.f_type == PROC_SUPER_MAGIC);
}

// Overwrites a file on another file system than the scratch folder: not atomic, but never empty.
int overwrite(const JailPlace& place, std::string_view content) {
    const Fd file(
        ::openat(place.folder.get(), place.name.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!file) {
        return errno;
    }
    const int err = write_all(file, content);
    return err == 0 && ::ftruncate(file.get(), static_cast<off_t>(content.size())) != 0 ? errno
                                                                                        : err;
}

class SysrootWritableFs final : public ForwardingFs {
   public:
    SysrootWritableFs(Fd root, std::string folder, Resolver resolver)
        : root_(std::move(root)),
          folder_(std::move(folder)),
          resolver_(resolver),
          reader_(new_reader()) {}

    // Reads with a new reader, because a reader keeps files open and files are replaced here.
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        return new_reader()->read_at(path, offset, size);
    }

    std::optional<Error> write(const std::string& path, std::optional<std::uint64_t> offset,
                               std::string_view bytes) override {
        auto answer = rules_.write(*this, path, offset, bytes);
        // A kernel applies all effects at once; here they are several files. Side effects are
        // written first, so that a crash never leaves the new value without its side effects.
        for (auto update = answer.updates.rbegin(); update != answer.updates.rend(); ++update) {
            if (auto error = replace(*update)) {
                return error;
            }
        }
        return std::move(answer.error);
    }

   private:
    const Fs& inner() const override { return *reader_; }

    std::unique_ptr<Fs> new_reader() const {
        return fs_in_folder(Fd(::fcntl(root_.get(), F_DUPFD_CLOEXEC, 0)), resolver_);
    }

    std::optional<Error> replace(const FileUpdate& update) {
        const JailPlace place = place_in_jail(root_.get(), update.path, resolver_);
        struct stat status {};
        if (place.err != 0 ||
            ::fstatat(place.folder.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
            return errno_error("write", update.path, place.err != 0 ? place.err : errno);
        }
        if (!S_ISREG(status.st_mode)) {
            return garbled(update.path, "is not a regular file");
        }
        if (is_kernel_file(place.folder.get())) {
            return Error{ErrorKind::not_permitted, EACCES, update.path,
                         "will not write " + update.path +
                             ": it is a file of the running kernel, not of a sysroot"};
        }
        if (auto error = of_mixed_owners(place, status, update.path)) {
            return error;
        }
        // rename(2) does not check this
        if (::faccessat(place.folder.get(), place.name.c_str(), W_OK, AT_EACCESS) != 0) {
            return errno_error("write", update.path, errno);
        }
        if (auto error = open_scratch()) {
            return error;
        }
        const int err = put(place, status, update.content);
        return err == 0 ? std::nullopt : std::optional(errno_error("write", update.path, err));
    }

    std::optional<Error> open_scratch() {
        if (scratch_) {
            return std::nullopt;
        }
        const std::string shown = folder_ + "/" + scratch_path;
        auto folder = open_folder(root_.get(), scratch_path, 2, shown);
        if (!folder) {
            return folder.error();
        }
        if (auto error = not_ours(*folder, shown)) {
            return error;
        }
        scratch_ = std::move(folder).value();
        clean(scratch_);
        return std::nullopt;
    }

    // Returns an error if the new file would change owner: it must not replace a file of another
    // user, nor be in a folder where another user can replace it.
    std::optional<Error> of_mixed_owners(const JailPlace& place, const struct stat& file,
                                         const std::string& path) const {
        struct stat above {};
        const bool known = ::fstat(place.folder.get(), &above) == 0;
        const uid_t self = ::geteuid();
        if (known && file.st_uid == self && above.st_uid == self) {
            return std::nullopt;
        }
        const uid_t other = file.st_uid != self ? file.st_uid : above.st_uid;
        return Error{ErrorKind::not_permitted, EPERM, path,
                     "will not write " + path + ": it belongs to user " + number(other) +
                         ", and rocenv runs as user " + number(self)};
    }

    int put(const JailPlace& place, const struct stat& old, std::string_view content) const {
        Scratch scratch(scratch_);
        if (!scratch.file()) {
            return errno;
        }
        int err = write_all(scratch.file(), content);
        err = err == 0 ? take_rights(scratch.file(), old) : err;
        err = err == 0 ? scratch.become(place) : err;
        return err == EXDEV ? overwrite(place, content) : err;
    }

    Fd root_;
    std::string folder_;
    Resolver resolver_;
    std::unique_ptr<Fs> reader_;
    KernelRules rules_;
    Fd scratch_;
};

}  // namespace

std::unique_ptr<WritableFs> real_writable_fs(std::string top, Resolver resolver) {
    return std::make_unique<RealWritableFs>(std::move(top), resolver);
}

Result<std::unique_ptr<WritableFs>> writable_sysroot_fs(const std::string& folder,
                                                        Resolver resolver) {
    auto root = open_sysroot(folder);
    if (!root) {
        return root.error();
    }
    return std::unique_ptr<WritableFs>(
        std::make_unique<SysrootWritableFs>(std::move(root).value(), folder, resolver));
}

}  // namespace rocenv
