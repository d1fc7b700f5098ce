// SPDX-License-Identifier: MIT
#include "os/fs/trusted_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <utility>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

// Stands for ids that the user namespace does not map (linux kernel/sys.c, DEFAULT_OVERFLOWUID).
constexpr uid_t overflow_id = 65534;
// linux include/linux/proc_ns.h, PROC_USER_INIT_INO
constexpr ino_t initial_user_namespace = 4026531837;

enum class TrustedPart { file, folder, link };

// Of this mount or of its file system; fstatfs(2) accepts O_PATH since Linux 3.12.
bool is_read_only(const Fd& part) {
    struct statvfs status {};
    return ::fstatvfs(part.get(), &status) == 0 && (status.f_flag & ST_RDONLY) != 0;
}

// Returns false without /proc: the stricter rule then holds.
bool is_in_a_user_namespace() {
    struct stat status {};
    return ::stat("/proc/self/ns/user", &status) == 0 && status.st_ino != initial_user_namespace;
}

// The mode also shows POSIX ACLs: with an ACL the bits of the group are its mask, the most that any
// named user or group gets (acl(5), "Correspondence between ACL entries and file permission bits").
// What the ACLs of an NFS server allow beyond that cannot be seen here.
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

// Follows a path name by name and link by link, and judges each part as it is opened.
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

    // Of the part that is named `at`.
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

    // An invalid descriptor: there is more to walk.
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

    // It was a regular file just now. O_NONBLOCK: what took its place must not stop us.
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
    std::vector<std::string> left_;  // names, the next one last
    Fd here_;
    std::string at_;  // its path without links; empty: "/"
    int links_ = 0;
};

bool is_one_file(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether the path leads there for the kernel, too.
bool leads_to(const std::string& path, const Fd& file) {
    const Fd direct(::open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat wanted {};
    struct stat found {};
    return direct && ::fstat(direct.get(), &wanted) == 0 && ::fstat(file.get(), &found) == 0 &&
           is_one_file(wanted, found);
}

bool leads_nowhere(const std::string& path) {
    return !Fd(::open(path.c_str(), O_PATH | O_CLOEXEC)) && errno == ENOENT;
}

}  // namespace

// The text of a link below /proc may name another file than the link leads to, and a file may be
// replaced while the path is walked, as a ConfigMap is.
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
