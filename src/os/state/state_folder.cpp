// SPDX-License-Identifier: MIT
#include "os/state/state_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "os/child/shared_log.h"
#include "os/fd.h"
#include "os/fs/posix_fs.h"
#include "os/fs/safe_folder.h"
#include "os/interruption.h"
#include "util/mountinfo.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr const char* journal_name = "journal";
constexpr const char* next_name = "journal.new";
constexpr const char* forgotten_name = "journal.forgotten";
constexpr const char* spare_name = "spare";
constexpr const char* lock_name = "lock";
constexpr unsigned journal_mode = 0644;
// A user that can open a file can hold its flock(2), so only the owner can open it.
constexpr unsigned lock_mode = 0600;
constexpr unsigned spare_mode = 0600;
// Space for the records of a reset, and for a replacement file under --sysroot.
constexpr off_t spare_size = off_t{64} << 10;
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

// Limit of a journal. Written journals are bounded by targets and living holders, up to 4 MiB on
// the largest nodes.
constexpr std::size_t largest_journal = std::size_t{6} << 20;
constexpr std::ptrdiff_t most_lines = 65536;
// Limit of writes, below the limit of reads.
constexpr std::size_t largest_written = largest_journal - (std::size_t{512} << 10);

std::optional<Error> read_all(const Fd& file, const std::string& path,
                              const JournalStore::Take& take) {
    std::array<char, 65536> part;
    std::size_t size = 0;
    std::ptrdiff_t lines = 0;
    for (;;) {
        const ssize_t got = ::read(file.get(), part.data(), part.size());
        if (got < 0 && errno != EINTR) {
            return errno_error("read", path, errno);
        }
        size += got < 0 ? 0 : static_cast<std::size_t>(got);
        lines += std::count(part.data(), part.data() + std::max<ssize_t>(got, 0), '\n');
        if (size > largest_journal || lines > most_lines) {
            return garbled(path, "is larger than 6 MiB or has more than " + number(most_lines) +
                                     " lines; rocenv never writes such a file");
        }
        if (got == 0) {
            return std::nullopt;
        }
        take({part.data(), got < 0 ? 0 : static_cast<std::size_t>(got)});
    }
}

// Allocates disk space. Returns 0 or an errno. posix_fallocate writes to file systems that cannot
// reserve space.
int allocate(const Fd& file, off_t size) {
    struct stat status {};
    if (::fstat(file.get(), &status) == 0 && status.st_size == size) {
        return 0;
    }
    return ::posix_fallocate(file.get(), 0, size);
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
    const bool strict = mode != Mode::inspect;
    auto folder =
        open_folder(start->from.get(), start->path, write ? start->make : 0, start->shown);
    if (!folder && (write || !folder.is(ErrorKind::not_here))) {
        return folder.error();
    }
    if (auto error = strict && folder ? not_ours(*folder, start->shown) : std::nullopt) {
        return *std::move(error);
    }
    // Below a --sysroot every folder is either the acting user's or refused.
    if (auto error = strict && folder && (state || !sysroot) ? not_ours_above(*folder, start->shown)
                                                             : std::nullopt) {
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
    const NoUmask own_modes;
    Fd opened(::openat(folder_.get(), file, flags | safe_flags, mode));
    struct stat status {};
    if (!opened || ::fstat(opened.get(), &status) != 0) {
        if (errno == ELOOP) {
            return not_trusted(path,
                               "refused to open " + printable(path) + ": this is a symbolic link");
        }
        if (errno == EISDIR || errno == ENXIO || errno == ENODEV) {
            return not_trusted(path, "refused to use " + printable(path) + ": not a regular file");
        }
        return errno_error("open", printable(path), errno);
    }
    const bool ours = status.st_uid == ::geteuid() || status.st_uid == 0;
    const bool reads = (flags & O_ACCMODE) == O_RDONLY;
    if (S_ISREG(status.st_mode) && (!ours || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)) {
        return not_trusted(path,
                           "refused to use " + printable(path) + ": another user can write to it");
    }
    if (!S_ISREG(status.st_mode) || (!reads && (!ours || status.st_nlink != 1))) {
        return not_trusted(path,
                           "refused to use " + printable(path) +
                               ": not a regular file with one name that belongs to this user");
    }
    return opened;
}

std::optional<Error> StateFolder::load(const Take& take) const {
    const auto file = open_own(journal_name, O_RDONLY, 0);
    return file ? read_all(*file, path_of(journal_name), take) : std::optional(file.error());
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
    if (err == 0 && static_cast<std::size_t>(before.st_size) + text.size() > largest_written) {
        err = EFBIG;
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
        also = "; a part of the journal remains";
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

Result<Fd> StateFolder::make_own(const char* file, unsigned mode) const {
    if (folder_ && ::unlinkat(folder_.get(), file, 0) != 0 && errno != ENOENT) {
        return errno_error("replace", printable(path_of(file)), errno);
    }
    return open_own(file, O_WRONLY | O_CREAT | O_EXCL, mode);
}

std::optional<Error> StateFolder::replace(std::string_view text) {
    const auto next = make_own(next_name, journal_mode);
    if (!next) {
        return next.error();
    }
    int err = write_all(*next, text);
    err = err == 0 ? sync(*next) : err;
    if (err == 0 && ::renameat(folder_.get(), next_name, folder_.get(), journal_name) != 0) {
        err = errno;
    }
    if (err != 0) {
        (void)::unlinkat(folder_.get(), next_name, 0);
        return errno_error("write", printable(path_of(next_name)), err);
    }
    err = sync(folder_);
    return err == 0 ? std::nullopt : std::optional(errno_error("sync", printable(name_), err));
}

// Removes the journal first: a spare file alone is not a journal, nor is a file that another user
// put there.
std::optional<Error> StateFolder::discard() {
    if (!folder_) {
        return std::nullopt;
    }
    bool any = false;
    for (const char* file : {journal_name, next_name, spare_name}) {
        const bool gone = ::unlinkat(folder_.get(), file, 0) == 0;
        if (!gone && errno != ENOENT && errno != EISDIR) {
            return errno_error("remove", printable(path_of(file)), errno);
        }
        any = any || gone;
    }
    const int err = any ? sync(folder_) : 0;
    return err == 0 ? std::nullopt : std::optional(errno_error("sync", printable(name_), err));
}

std::optional<Error> StateFolder::set_aside() {
    if (folder_ && ::renameat(folder_.get(), journal_name, folder_.get(), forgotten_name) != 0 &&
        errno != ENOENT) {
        return errno_error("rename", printable(path_of(journal_name)), errno);
    }
    return discard();
}

std::optional<Error> StateFolder::reserve() {
    auto spare = open_own(spare_name, O_WRONLY | O_CREAT, spare_mode);
    if (!spare) {
        return spare.error();
    }
    const int err = allocate(*spare, spare_size);
    if (err == 0) {
        return std::nullopt;
    }
    (void)release();
    return errno_error("reserve room in", printable(path_of(spare_name)), err);
}

bool StateFolder::release() {
    return folder_ && ::unlinkat(folder_.get(), spare_name, 0) == 0;
}

bool StateFolder::outlives_boot() const {
    struct statfs status {};
    const bool known = folder_ && ::fstatfs(folder_.get(), &status) == 0;
    return !known || (status.f_type != TMPFS_MAGIC && status.f_type != RAMFS_MAGIC);
}

std::optional<bool> StateFolder::in_use() const {
    struct stat status {};
    if (!folder_ || ::fstatat(folder_.get(), lock_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return !folder_ || errno == ENOENT ? std::optional(false) : std::nullopt;
    }
    return is_locked(status);
}

// Every new holder of the lock signs its file, which changes this text.
std::string StateFolder::generation() const {
    struct stat status {};
    if (!folder_ || ::fstatat(folder_.get(), lock_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return "";
    }
    return number(status.st_ino) + " " + number(status.st_ctim.tv_sec) + " " +
           number(status.st_ctim.tv_nsec);
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
            const std::string name = interruption();
            return Error{ErrorKind::io, EINTR, path,
                         "the wait for " + printable(path) + ", held by " + holder_of(*file) +
                             ", was ended by " + (name.empty() ? "a signal" : name)};
        }
        if (attempt > 0 && waiting) {  // not at the first try: a new holder has not signed yet
            waiting(holder_of(*file), end);
        }
        if (now_ms() >= end) {
            return Error{ErrorKind::timed_out, 0, path,
                         printable(path) + " is held by " + holder_of(*file)};
        }
        pause_for(pause_ms);
    }
    sign(*file, self);
    return file;
}

namespace {

enum class Held { no, perhaps, yes };
struct Lock {
    Held held = Held::no;
    std::string pid;  // holder in this pid namespace; empty unless held
};

// Finds the lock of a file. A line is "1: FLOCK  ADVISORY  WRITE 1234 00:1a:4242 0 EOF" with device
// numbers in hexadecimal; "->" marks a waiting process. Some file systems (btrfs, overlay) report
// another device number to stat(2): there the inode alone proves nothing.
Lock lock_on(const std::string& locks, const struct stat& file) {
    constexpr std::size_t pid_field = 4;
    const std::string inode = ":" + number(file.st_ino) + " ";
    const std::string device_and_inode =
        " " + bare_hex(major(file.st_dev), 2) + ":" + bare_hex(minor(file.st_dev), 2) + inode;
    Lock out;
    for (const auto line : split(locks, '\n')) {
        const auto fields = words(line);
        const bool held = line.find(" FLOCK ") != std::string_view::npos &&
                          line.find("->") == std::string_view::npos && fields.size() > pid_field;
        if (held && line.find(device_and_inode) != std::string_view::npos) {
            return {Held::yes, std::string(fields[pid_field])};
        }
        if (held && line.find(inode) != std::string_view::npos &&
            line.find(" 00:") != std::string_view::npos) {
            out = {Held::perhaps, std::string(fields[pid_field])};
        }
    }
    return out;
}

}  // namespace

std::optional<bool> is_locked(const struct stat& file) {
    const auto locks = real_fs()->read("/proc/locks");
    const Held held = locks ? lock_on(*locks, file).held : Held::perhaps;
    return held == Held::perhaps ? std::nullopt : std::optional(held == Held::yes);
}

// A new holder may not have signed yet; other programs never sign.
std::string holder_of(const Fd& lock) {
    std::array<char, 512> text{};
    const ssize_t got = ::pread(lock.get(), text.data(), text.size(), 0);
    const auto whole = trim({text.data(), static_cast<std::size_t>(got < 0 ? 0 : got)});
    const auto line = whole.substr(0, whole.find('\n'));
    struct stat status {};
    const auto locks = real_fs()->read("/proc/locks");
    const Lock found =
        locks && ::fstat(lock.get(), &status) == 0 ? lock_on(*locks, status) : Lock();
    const bool signed_it =
        !found.pid.empty() && line.substr(0, line.find(' ')) == std::string_view(found.pid);
    if (signed_it || (found.pid.empty() && line.empty())) {
        return signed_it ? printable(line) : "another process";
    }
    return found.pid.empty() ? "perhaps " + printable(line) : "process " + found.pid;
}

void sign(const Fd& lock, const Holder& self) {
    const std::string line = number(::getpid()) + " " + self.user + " " + self.command + "\n";
    if (::ftruncate(lock.get(), 0) == 0) {
        write_all(lock, line);
    }
}

namespace {

// Opens the folder or the nearest existing one above it.
Fd nearest(std::string folder) {
    for (;;) {
        Fd opened(::open(folder.empty() ? "/" : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
        if (opened || errno != ENOENT || folder.empty()) {
            return opened;
        }
        const auto slash = folder.find_last_of('/');
        const bool relative = slash == std::string::npos;
        folder = relative ? "." : folder.substr(0, slash);
    }
}

// Returns the id in the line "mnt_id:\t27" of /proc/self/fdinfo/N, which is exact regardless of
// links and names.
std::optional<std::string> mount_id_of(const Fd& folder) {
    const auto info = real_fs()->read("/proc/self/fdinfo/" + number(folder.get()));
    for (const auto line : split(info ? std::string_view(*info) : std::string_view(), '\n')) {
        if (line.starts_with("mnt_id:")) {
            return std::string(trim(line.substr(line.find(':') + 1)));
        }
    }
    return std::nullopt;
}

bool is_memory(std::string_view type) {
    return type == "tmpfs" || type == "ramfs" || type == "rootfs";
}

bool is_union(std::string_view type) {
    return type == "overlay" || type == "aufs" || type == "fuse.fuse-overlayfs" ||
           type == "fuse.unionfs";
}

bool holds_a_nodes_run(const Mount& mount) {
    const std::string udev = std::string(mount.point) + "/udev/data";
    return ::access(udev.c_str(), F_OK) == 0;
}

// Returns true if the memory was made for this container: its whole is mounted here, and it does
// not hold what a node's /run does. Memory that is mounted only in part belongs to the node.
bool is_own_memory(const std::vector<Mount>& all, const Mount& mount) {
    const auto whole = std::find_if(all.begin(), all.end(), [&](const Mount& each) {
        return each.device == mount.device && each.root == "/";
    });
    return whole != all.end() && !holds_a_nodes_run(*whole);
}

Error not_here(const std::string& folder, const std::string& why) {
    return {ErrorKind::bad_input, 0, folder, printable(folder) + " is not on the node: " + why};
}

}  // namespace

std::optional<Error> not_of_the_node(const std::string& folder, OnRoot on_root) {
    const Fd opened = nearest(folder);
    if (!opened) {
        return errno_error("open", printable(folder), errno);
    }
    const auto id = mount_id_of(opened);
    const auto mounts = real_fs()->read("/proc/self/mountinfo");
    if (!id || !mounts) {
        return not_here(folder, "/proc/self/mountinfo cannot be read");
    }
    const auto all = parse_mountinfo(*mounts);
    const auto mount =
        std::find_if(all.begin(), all.end(), [&](const Mount& each) { return each.id == *id; });
    if (mount == all.end()) {
        return not_here(folder, "/proc/self/mountinfo does not name its mount");
    }
    if (on_root == OnRoot::will_not_do && mount->point == "/") {
        return not_here(folder, "no file system is mounted there");
    }
    if (is_union(mount->type)) {
        return not_here(folder, "the folder is on the container's own " + std::string(mount->type));
    }
    if (is_memory(mount->type) && is_own_memory(all, *mount)) {
        return not_here(folder, "the folder is on a memory file system of the container");
    }
    return std::nullopt;
}

struct ActingUser::Former {
    std::vector<gid_t> groups;
    gid_t group;
};

namespace {

Error cannot(const std::string& folder, uid_t user, int err) {
    return {ErrorKind::not_permitted, err, folder,
            "cannot switch to user " + number(user) + ", the owner of " + printable(folder) + ": " +
                errno_text(err)};
}

std::vector<gid_t> groups_of_this() {
    const int count = ::getgroups(0, nullptr);
    std::vector<gid_t> groups(static_cast<std::size_t>(count < 0 ? 0 : count));
    const int got = ::getgroups(static_cast<int>(groups.size()), groups.data());
    groups.resize(static_cast<std::size_t>(got < 0 ? 0 : got));
    return groups;
}

}  // namespace

Result<std::unique_ptr<ActingUser>> ActingUser::owner_of(const std::string& folder) {
    std::unique_ptr<ActingUser> out(new ActingUser());
    struct stat status {};
    const bool foreign = ::stat(folder.c_str(), &status) == 0 && status.st_uid != 0;
    if (!foreign || ::geteuid() != 0) {
        return out;
    }
    auto former = std::make_unique<Former>(Former{groups_of_this(), ::getegid()});
    const gid_t group = status.st_gid != 0 ? status.st_gid : static_cast<gid_t>(status.st_uid);
    if (::setgroups(1, &group) != 0) {
        return cannot(folder, status.st_uid, errno);
    }
    out->former_ = std::move(former);  // from here on the destructor restores the ids
    if (::setegid(group) != 0 || ::seteuid(status.st_uid) != 0) {
        return cannot(folder, status.st_uid, errno);
    }
    return out;
}

ActingUser::~ActingUser() {
    if (!former_) {
        return;
    }
    // A process that cannot become root again must not continue with mixed ids.
    if (::seteuid(0) != 0 || ::setegid(former_->group) != 0 ||
        ::setgroups(former_->groups.size(), former_->groups.data()) != 0) {
        std::abort();
    }
}

namespace {

constexpr std::string_view hold_start = "run/";
constexpr std::string_view file_start = "run-";
constexpr std::string_view file_end = ".alive";
constexpr mode_t unshared = 0600;  // before it is locked
constexpr mode_t readable = 0644;

// Returns "run-4711-1f2e3d4c.alive"; empty if the hold is not that of a run.
std::string file_of(const std::string& hold) {
    const auto rest = std::string_view(hold).substr(std::min(hold_start.size(), hold.size()));
    const bool good = hold.starts_with(hold_start) && !rest.empty() &&
                      rest.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
    return good ? std::string(file_start) + std::string(rest) + std::string(file_end) : "";
}

struct flock whole_file(short type) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

// Returns true if the lock is free. An open file description lock lasts until its last descriptor
// is closed, however the process ends. A process lock would end when the process closes any
// descriptor of the file.
bool is_unlocked(const Fd& file) {
    struct flock lock = whole_file(F_RDLCK);
    return ::fcntl(file.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

Fd open_file(int folder, const std::string& file) {
    return Fd(
        ::openat(folder, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

std::vector<std::string> alive_files(int folder) {
    std::vector<std::string> out;
    const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> all(again < 0 ? nullptr : ::fdopendir(again),
                                                  ::closedir);
    for (const dirent* entry = nullptr; all && (entry = ::readdir(all.get())) != nullptr;) {
        const std::string_view name(entry->d_name);
        if (name.starts_with(file_start) && name.ends_with(file_end)) {
            out.emplace_back(name);
        }
    }
    return out;
}

}  // namespace

Result<RunHold> new_run_hold(int folder, const std::string& shown) {
    std::uint32_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != sizeof random) {
        return errno_error("get random bytes for", printable(shown), errno);
    }
    RunHold out;
    out.name = std::string(hold_start) + number(::getpid()) + "-" + bare_hex(random, 8);
    const std::string file = file_of(out.name);
    out.alive = Fd(::openat(folder, file.c_str(),
                            O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, unshared));
    struct flock lock = whole_file(F_WRLCK);
    if (!out.alive || ::fcntl(out.alive.get(), F_OFD_SETLK, &lock) != 0 ||
        ::fchmod(out.alive.get(), readable) != 0) {
        return errno_error("make", printable(shown + "/" + file), errno);
    }
    return out;
}

bool is_known_dead(int folder, const std::string& hold) {
    const std::string name = file_of(hold);
    if (name.empty() || folder < 0) {
        return false;
    }
    const Fd file = open_file(folder, name);
    return file ? is_unlocked(file) : errno == ENOENT;
}

void remove_stale_holds(int folder, const std::vector<std::string>& holds) {
    for (const auto& name : alive_files(folder)) {
        const bool needed = std::any_of(holds.begin(), holds.end(), [&](const std::string& hold) {
            return file_of(hold) == name;
        });
        const Fd file = needed ? Fd() : open_file(folder, name);
        if (file && is_unlocked(file)) {
            ::unlinkat(folder, name.c_str(), 0);
        }
    }
}

}  // namespace rocenv
