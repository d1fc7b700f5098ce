// SPDX-License-Identifier: MIT
#include "os/fs/posix_fs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "util/near_names.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t most_names = 65536;  // in one folder
constexpr std::size_t largest = std::size_t{1} << 20;

// O_NONBLOCK: a FIFO or terminal in a foreign sysroot must not block; kernel files ignore the flag.
constexpr int read_flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

constexpr int no_regular_file = EBADF;  // an errno that open(2) does not return here

bool is_sysfs(const std::string& path) {
    return path.starts_with("/sys/");
}

// Returns true if /proc/cpuinfo is read up to the first CPU, which suffices. For the others the
// kernel would interrupt each CPU (arch/x86/kernel/cpu/proc.c show_cpuinfo reads its frequency),
// and half a MiB would be kept.
bool holds_first_cpu(const std::string& path, std::string_view content) {
    return path == "/proc/cpuinfo" && content.find("\n\n") != std::string_view::npos;
}

// A name with a sort key: the eight bytes after the common prefix of the folder, as a number. Most
// comparisons end there.
struct KeyedName {
    std::uint64_t key;
    std::string_view name;

    KeyedName(std::string_view whole, std::size_t shared) : key(0), name(whole) {
        constexpr std::size_t width = sizeof key;
        std::array<char, width> bytes{};
        whole.substr(shared, width).copy(bytes.data(), width);
        for (const char byte : bytes) {
            key = key << 8 | static_cast<unsigned char>(byte);
        }
    }
    bool operator<(const KeyedName& other) const {
        return key != other.key ? key < other.key : name < other.name;
    }
};

// The names of a folder, as returned by getdents64(2), sorted as views. A node has thousands of PCI
// functions, and moving a std::string takes four times as long as moving a view.
class ListedNames {
   public:
    void take(const char* buffer, std::size_t size) {
        for (std::size_t at = 0; at < size;) {
            std::uint16_t length = 0;
            std::memcpy(&length, buffer + at + offsetof(dirent64, d_reclen), sizeof length);
            const std::string_view name(buffer + at + offsetof(dirent64, d_name));
            if (name != "." && name != "..") {
                text_ += name;
                ends_.push_back(text_.size());
            }
            at += length;
        }
    }
    std::size_t size() const { return ends_.size(); }
    std::vector<std::string> sorted() const {
        const std::size_t shared = shared_bytes();
        std::vector<KeyedName> names;
        names.reserve(ends_.size());
        for (std::size_t at = 0; at < ends_.size(); ++at) {
            names.emplace_back(name(at), shared);
        }
        std::sort(names.begin(), names.end());
        std::vector<std::string> out;
        out.reserve(names.size());
        for (const auto& each : names) {
            out.emplace_back(each.name);
        }
        return out;
    }

   private:
    std::string_view name(std::size_t at) const {
        const std::size_t start = at == 0 ? 0 : ends_[at - 1];
        return std::string_view(text_).substr(start, ends_[at] - start);
    }
    // Returns the length of the common prefix of all names, in bytes.
    std::size_t shared_bytes() const {
        const std::string_view first = ends_.empty() ? std::string_view() : name(0);
        std::size_t shared = first.size();
        for (std::size_t at = 1; at < ends_.size() && shared > 0; ++at) {
            const auto other = name(at);
            const auto end = first.begin() + static_cast<std::ptrdiff_t>(shared);
            shared = static_cast<std::size_t>(
                std::mismatch(first.begin(), end, other.begin(), other.end()).first -
                first.begin());
        }
        return shared;
    }

    std::string text_;
    std::vector<std::size_t> ends_;
};

class PosixFs final : public Fs {
   public:
    PosixFs() = default;
    PosixFs(Fd root, Resolver resolver)
        : root_(std::move(root)), resolver_(resolver), real_(false) {}

    Result<std::string> read(const std::string& path) const override {
        const Fd file = open_file(path);
        return file ? read_open(path, file) : open_error(path);
    }

    Result<std::string> read_trusted(const std::string& path) const override {
        if (!real_) {
            return read(path);
        }
        const auto file = open_trusted(path);
        return file ? read_open(path, *file) : file.error();
    }

    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        if (path != last_path_) {
            last_file_ = open_file(path);
            last_path_ = last_file_ ? path : "";
        }
        if (!last_file_) {
            return open_error(path);
        }
        std::string content(size, '\0');
        const ssize_t got =
            ::pread(last_file_.get(), content.data(), size, static_cast<off_t>(offset));
        if (got < 0) {
            return errno_error("read", path, errno);
        }
        content.resize(static_cast<std::size_t>(got));
        return content;
    }

    Result<std::vector<std::string>> list(const std::string& path) const override {
        Fd folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (!folder) {
            return errno_error("list", path, errno);
        }
        alignas(dirent64) std::array<char, 32768> buffer;
        ListedNames names;
        for (;;) {
            const auto got = ::syscall(SYS_getdents64, folder.get(), buffer.data(), buffer.size());
            if (got < 0) {
                return errno_error("list", path, errno);
            }
            if (got == 0) {
                break;
            }
            names.take(buffer.data(), static_cast<std::size_t>(got));
            if (names.size() > most_names) {
                return garbled(path, "holds more than " + number(most_names) + " names");
            }
        }
        return names.sorted();
    }

    Result<std::string> link(const std::string& path) const override {
        std::array<char, PATH_MAX> text;
        ssize_t size = -1;
        if (real_) {
            size = ::readlink(path.c_str(), text.data(), text.size());
        } else if (const Fd at = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC); at) {
            size = ::readlinkat(at.get(), "", text.data(), text.size());
            errno = size < 0 && errno == ENOENT
                        ? EINVAL
                        : errno;  // `ENOENT`: "" on a file that is not a link
        }
        if (size < 0) {
            return errno_error("read the link", path, errno);
        }
        return std::string(text.data(), static_cast<std::size_t>(size));
    }

    Result<std::uint64_t> size(const std::string& path) const override {
        struct stat status {};
        if (real_) {
            if (::stat(path.c_str(), &status) != 0) {
                return errno_error("access", path, errno);
            }
            return static_cast<std::uint64_t>(status.st_size);
        }
        const Fd at = open(path, O_PATH | O_CLOEXEC);
        if (!at || ::fstat(at.get(), &status) != 0) {
            return errno_error("access", path, errno);
        }
        return static_cast<std::uint64_t>(status.st_size);
    }

    Result<std::uint64_t> capacity(const std::string& path) const override {
        struct statvfs status {};
        const Fd at = open(path, O_PATH | O_CLOEXEC);
        if (!at || ::fstatvfs(at.get(), &status) != 0) {
            return errno_error("measure", path, errno);
        }
        return std::uint64_t{status.f_blocks} * std::uint64_t{status.f_frsize};
    }

    Result<Access> access(const std::string& path) const override {
        struct stat status {};
        if (!real_) {
            return Fs::access(path);
        }
        if (::stat(path.c_str(), &status) != 0) {
            return errno_error("access", path, errno);
        }
        const bool allowed = ::faccessat(AT_FDCWD, path.c_str(), R_OK | W_OK, AT_EACCESS) == 0;
        const int err = allowed ? 0 : errno;
        if (err != 0 && kind_of_errno(err) != ErrorKind::not_permitted) {
            return errno_error("check the access to", path, err);
        }
        return Access{err, status.st_gid};
    }

    bool is_real() const override { return real_; }

   private:
    Fd open(const std::string& path, int flags) const {
        if (real_) {
            return Fd(::open(path.c_str(), flags));
        }
        const int fd = open_in_jail(root_.get(), path, flags, resolver_);
        if (fd < 0) {
            errno = -fd;
            return {};
        }
        return Fd(fd);
    }

    static Result<std::string> read_open(const std::string& path, const Fd& file) {
        std::array<char, page> first;
        const ssize_t got = ::read(file.get(), first.data(), first.size());
        if (got < 0) {
            return errno_error("read", path, errno);
        }
        std::string content(first.data(), static_cast<std::size_t>(got));
        const bool is_whole = content.empty() || (is_sysfs(path) && content.size() < page);
        if (is_whole || holds_first_cpu(path, content)) {
            return content;
        }
        return read_rest(path, file, std::move(content));
    }

    // Reads to the end: procfs returns whole records, so a short read is not the end.
    static Result<std::string> read_rest(const std::string& path, const Fd& file,
                                         std::string content) {
        std::array<char, 16 * page> more;
        for (;;) {
            const ssize_t got = ::read(file.get(), more.data(), more.size());
            if (got < 0) {
                return errno_error("read", path, errno);
            }
            if (got == 0) {
                return content;
            }
            content.append(more.data(), static_cast<std::size_t>(got));
            if (content.size() > largest) {
                auto error = garbled(path, "is larger than 1 MiB");
                error.err = EFBIG;
                return error;
            }
        }
    }

    // Opens a file. In a foreign sysroot only regular files are opened: opening a device node may
    // already act.
    Fd open_file(const std::string& path) const {
        if (real_) {
            return open(path, read_flags);
        }
        const auto slash = path.rfind('/') + 1;
        const std::string_view name = std::string_view(path).substr(slash);
        if (name.empty() || name == "." || name == "..") {
            return open_linked(path);
        }
        if (!enter(std::string_view(path).substr(0, slash))) {
            return {};
        }
        struct stat status {};
        if (::fstatat(folder_.get(), name.data(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
            return {};
        }
        if (S_ISLNK(status.st_mode)) {
            return open_linked(path);
        }
        return is_file(status) ? Fd(::openat(folder_.get(), name.data(), read_flags | O_NOFOLLOW))
                               : Fd();
    }

    // Opens a file through a link. The path is walked twice, because the target is known only after
    // the first open.
    Fd open_linked(const std::string& path) const {
        const Fd at = open(path, O_PATH | O_CLOEXEC);
        struct stat status {};
        if (!at || ::fstat(at.get(), &status) != 0 || !is_file(status)) {
            return {};
        }
        return open(path, read_flags);
    }

    // Keeps the folder open, since files of one folder are usually read in sequence. Sets errno on
    // failure.
    bool enter(std::string_view folder) const {
        if (!folder_ || folder != folder_path_) {
            folder_path_ = folder;
            folder_ = open(folder_path_, O_PATH | O_DIRECTORY | O_CLOEXEC);
        }
        return bool(folder_);
    }

    static Error open_error(const std::string& path) {
        return errno == no_regular_file ? garbled(path, "is not a regular file")
                                        : errno_error("read", path, errno);
    }

    // Returns true for a regular file; sets errno otherwise.
    static bool is_file(const struct stat& status) {
        errno = S_ISREG(status.st_mode) ? 0 : no_regular_file;
        return S_ISREG(status.st_mode);
    }

    // The last file: capabilities in configuration space are read four bytes at a time.
    mutable std::string last_path_;
    mutable Fd last_file_;
    // The last folder of a sysroot.
    mutable std::string folder_path_;
    mutable Fd folder_;

    Fd root_;
    Resolver resolver_ = Resolver::automatic;
    bool real_ = true;
};

}  // namespace

Result<Access> Fs::access(const std::string& path) const {
    return errno_error("check the access to", path, ENOTSUP);
}

std::unique_ptr<Fs> real_fs() {
    return std::make_unique<PosixFs>();
}

Result<Fd> open_sysroot(const std::string& folder) {
    Fd root(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!root) {
        return Error{ErrorKind::bad_input, errno, folder,
                     "cannot open " + in_quotes(folder, 200) + ": " + errno_text(errno)};
    }
    return root;
}

std::unique_ptr<Fs> fs_in_folder(Fd root, Resolver resolver) {
    return std::make_unique<PosixFs>(std::move(root), resolver);
}

Result<std::unique_ptr<Fs>> sysroot_fs(const std::string& folder, Resolver resolver) {
    auto root = open_sysroot(folder);
    if (!root) {
        return root.error();
    }
    return fs_in_folder(std::move(root).value(), resolver);
}

namespace {

// The user of ids that the user namespace does not map (linux kernel/sys.c, DEFAULT_OVERFLOWUID).
constexpr uid_t overflow_id = 65534;
// Inode of the initial user namespace: linux include/linux/proc_ns.h, PROC_USER_INIT_INO.
constexpr ino_t initial_user_namespace = 4026531837;

enum class TrustedPart { file, folder, link };

// Returns true if the mount or its file system is read-only; fstatfs(2) accepts O_PATH since Linux
// 3.12.
bool is_read_only(const Fd& part) {
    struct statvfs status {};
    return ::fstatvfs(part.get(), &status) == 0 && (status.f_flag & ST_RDONLY) != 0;
}

// Returns true in another user namespace; false without /proc, so that the stricter rule applies.
bool is_in_a_user_namespace() {
    struct stat status {};
    return ::stat("/proc/self/ns/user", &status) == 0 && status.st_ino != initial_user_namespace;
}

// Returns the reason why other users can change the part; std::nullopt if only root can. The mode
// includes POSIX ACLs: with an ACL the group bits are its mask, the maximum of all named users and
// groups (acl(5), "Correspondence between ACL entries and file permission bits"). Further rights by
// ACLs of an NFS server are not visible.
std::optional<std::string> why_not_roots(const Fd& part, const struct stat& status,
                                         TrustedPart kind) {
    const bool kept =
        kind == TrustedPart::link || (kind == TrustedPart::folder && (status.st_mode & S_ISVTX));
    const mode_t others = kept ? 0 : status.st_mode & (S_IWGRP | S_IWOTH);
    if (status.st_uid == 0 && others == 0) {
        return std::nullopt;
    }
    const bool fixed = is_read_only(part);
    const bool unmapped = status.st_uid == overflow_id && fixed && is_in_a_user_namespace();
    if (status.st_uid != 0 && !unmapped) {
        return "belongs to user " + number(status.st_uid);
    }
    if (others == 0 || fixed) {
        return std::nullopt;
    }
    return (others & S_IWOTH) != 0 ? "can be written by other users"
                                   : "can be written by its group";
}

// A walk along a path, name by name and link by link, that checks each part after opening it.
class TrustedWalk {
   public:
    explicit TrustedWalk(const std::string& path) : path_(path) {}

    Result<Fd> open() {
        std::array<char, PATH_MAX> here{};
        if (!path_.starts_with('/')) {
            if (::getcwd(here.data(), here.size()) == nullptr) {
                return errno_error("read", printable(path_), errno);
            }
        }
        add(path_);
        add(here.data());
        if (auto error = enter_root()) {
            return *std::move(error);
        }
        while (!left_.empty()) {
            const std::string name = std::exchange(left_.back(), "");
            left_.pop_back();
            auto file = name == ".." ? up() : down(name);
            if (!file || *file) {
                return file;
            }
        }
        return failed(EISDIR);
    }

   private:
    void add(std::string_view path) {
        const auto names = split(path, '/');
        for (auto name = names.rbegin(); name != names.rend(); ++name) {
            if (!name->empty() && *name != ".") {
                left_.emplace_back(*name);
            }
        }
    }

    Error failed(int err) const { return errno_error("read", printable(path_), err); }

    // Checks the part named `at`.
    std::optional<Error> judge(const Fd& part, const struct stat& status, TrustedPart kind,
                               const std::string& at) const {
        const auto why = why_not_roots(part, status, kind);
        if (!why) {
            return std::nullopt;
        }
        const char* which = kind == TrustedPart::file     ? "the file"
                            : kind == TrustedPart::folder ? "the folder "
                                                          : "the link ";
        return not_trusted(at, printable(path_) + " is not trusted: " + which +
                                   (kind == TrustedPart::file ? "" : printable(at)) + " " + *why);
    }

    std::optional<Error> enter(Fd folder, const std::string& at) {
        struct stat status {};
        if (!folder || ::fstat(folder.get(), &status) != 0) {
            return failed(errno);
        }
        here_ = std::move(folder);
        at_ = at;
        return judge(here_, status, TrustedPart::folder, at.empty() ? "/" : at);
    }

    std::optional<Error> enter_root() {
        return enter(Fd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)), "");
    }

    // Moves to the parent. Returns an invalid descriptor if the walk continues.
    Result<Fd> up() {
        Fd above(::openat(here_.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
        auto error = enter(std::move(above), at_.substr(0, at_.rfind('/')));
        return error ? Result<Fd>(*std::move(error)) : Result<Fd>(Fd());
    }

    Result<Fd> down(const std::string& name) {
        const std::string at = at_ + "/" + name;
        Fd part(::openat(here_.get(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
        struct stat status {};
        if (!part || ::fstat(part.get(), &status) != 0) {
            return failed(errno);
        }
        if (!S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode)) {
            return S_ISREG(status.st_mode) ? file(name, at)
                                           : garbled(printable(path_), "is not a regular file");
        }
        auto error =
            S_ISDIR(status.st_mode) ? enter(std::move(part), at) : follow(part, status, at);
        return error ? Result<Fd>(*std::move(error)) : Result<Fd>(Fd());
    }

    std::optional<Error> follow(const Fd& link, const struct stat& status, const std::string& at) {
        constexpr int most_links = 40;  // linux include/linux/namei.h, MAXSYMLINKS
        if (auto error = judge(link, status, TrustedPart::link, at)) {
            return error;
        }
        std::array<char, PATH_MAX> text{};
        const ssize_t size = ::readlinkat(link.get(), "", text.data(), text.size());
        if (size < 0 || ++links_ > most_links) {
            return failed(size < 0 ? errno : ELOOP);
        }
        const std::string_view target(text.data(), static_cast<std::size_t>(size));
        add(target);
        return target.starts_with('/') ? enter_root() : std::nullopt;
    }

    // Opens the last name, which was a regular file before. O_NONBLOCK: a replacement must not
    // block.
    Result<Fd> file(const std::string& name, const std::string& at) const {
        constexpr int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
        Fd file(::openat(here_.get(), name.c_str(), flags));
        struct stat status {};
        if (!file || ::fstat(file.get(), &status) != 0) {
            return failed(errno);
        }
        if (auto error = judge(file, status, TrustedPart::file, at)) {
            return *std::move(error);
        }
        if (!S_ISREG(status.st_mode) || !left_.empty()) {
            return S_ISREG(status.st_mode) ? failed(ENOTDIR)
                                           : garbled(printable(path_), "is not a regular file");
        }
        return file;
    }

    const std::string& path_;
    std::vector<std::string> left_;  // names to walk, the next one last
    Fd here_;
    std::string at_;  // path without links; empty: "/"
    int links_ = 0;
};

bool is_one_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Returns true if the kernel resolves the path to the same file.
bool leads_to(const std::string& path, const Fd& file) {
    const Fd direct(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat expected {};
    struct stat found {};
    return direct && ::fstat(direct.get(), &expected) == 0 && ::fstat(file.get(), &found) == 0 &&
           is_one_file(expected, found);
}

bool leads_nowhere(const std::string& path) {
    return !Fd(::open(path.c_str(), O_PATH | O_CLOEXEC)) && errno == ENOENT;
}

}  // namespace

// The text of a link below /proc may differ from its target, and a file may be replaced during the
// walk, like a ConfigMap. So the result is compared with the kernel's, and the walk is retried.
Result<Fd> open_trusted(const std::string& path) {
    constexpr int tries = 3;
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
        return errno_error("read", printable(path), errno);
    }
    for (int at = 0; at < tries; ++at) {
        auto file = TrustedWalk(path).open();
        const bool same =
            file ? leads_to(path, *file) : !file.is(ErrorKind::not_here) || leads_nowhere(path);
        if (same) {
            return file;
        }
    }
    return not_trusted("", printable(path) +
                               " is not trusted: it changes while it is read, or a link on the way "
                               "leads elsewhere than its text says");
}

}  // namespace rocenv
