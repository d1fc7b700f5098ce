// SPDX-License-Identifier: MIT
#include "os/fs/jail.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <climits>
#include <vector>

#include "util/text.h"

namespace rocenv {

namespace {

// The result of a step out of the folder: the folder itself, as in a root, or an error.
enum class Edge { root, refused };

constexpr long openat2_call = 437;  // no name in glibc 2.31

int open_by_kernel(int root, const std::string& path, int flags, Edge edge) {
    open_how how{};
    how.flags = static_cast<unsigned long long>(flags);
    how.resolve = RESOLVE_NO_MAGICLINKS;
    how.resolve |= edge == Edge::root ? RESOLVE_IN_ROOT : RESOLVE_BENEATH;
    constexpr int attempts = 8;  // `EAGAIN`: a rename or mount in the system raced with ".."
    long fd = -1;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        fd = ::syscall(openat2_call, root, path.c_str(), &how, sizeof how);
        if (fd >= 0 || errno != EAGAIN) {
            break;
        }
    }
    return fd < 0 ? -errno : static_cast<int>(fd);
}

// Returns the target of the link `name` in `folder`; empty if it is not a link.
std::string link_text(int folder, const std::string& name) {
    std::array<char, PATH_MAX> text;
    const ssize_t size = ::readlinkat(folder, name.c_str(), text.data(), text.size());
    return size < 0 ? std::string() : std::string(text.data(), static_cast<std::size_t>(size));
}

class Walk {
   public:
    Walk(int root, const std::string& path, Edge edge) : edge_(edge) {
        folders_.push_back(Fd(::fcntl(root, F_DUPFD_CLOEXEC, 0)));
        leaves_ = edge == Edge::refused && path.starts_with('/');
        add_names(path);
    }

    int open(int flags) {
        if (leaves_) {
            return -EXDEV;
        }
        while (!names_.empty()) {
            const std::string name = names_.back();
            names_.pop_back();
            if (const int err = step(name, (flags & O_NOFOLLOW) != 0); err != 0) {
                return err;
            }
            if (last_) {
                return open_last(name, flags);
            }
        }
        return answer(::openat(here(), ".", flags | O_CLOEXEC));
    }

   private:
    int here() const { return folders_.back().get(); }
    static int answer(int fd) { return fd < 0 ? -errno : fd; }

    // Walks one name; sets last_ if it is the name to open.
    int step(const std::string& name, bool keep_last_link) {
        if (name == "..") {
            if (folders_.size() > 1) {
                folders_.pop_back();
                return 0;
            }
            return edge_ == Edge::root ? 0 : -EXDEV;
        }
        const std::string target =
            names_.empty() && keep_last_link ? std::string() : link_text(here(), name);
        if (!target.empty()) {
            return follow(target);
        }
        if (names_.empty()) {
            last_ = true;
            return 0;
        }
        const int fd =
            ::openat(here(), name.c_str(), O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0) {
            return -errno;
        }
        folders_.push_back(Fd(fd));
        return 0;
    }

    int follow(const std::string& target) {
        if (++links_ > max_links) {
            return -ELOOP;
        }
        if (target.front() == '/' && edge_ == Edge::refused) {
            return -EXDEV;
        }
        if (target.front() == '/') {
            folders_.erase(folders_.begin() + 1, folders_.end());
        }
        add_names(target);
        return 0;
    }

    // Adds the names of a path. A path that ends in "/" or "/." must be a folder.
    void add_names(std::string_view path) {
        folder_ = folder_ || (names_.empty() && (path.ends_with('/') || path.ends_with("/.")));
        push_names(names_, path);
    }

    int open_last(const std::string& name, int flags) {
        return answer(::openat(here(), name.c_str(),
                               flags | O_NOFOLLOW | O_CLOEXEC | (folder_ ? O_DIRECTORY : 0)));
    }

    Edge edge_;
    bool leaves_ = false;      // the first step leaves the folder
    std::vector<Fd> folders_;  // the root first, then every entered folder
    std::vector<std::string> names_;
    int links_ = 0;
    bool last_ = false;
    bool folder_ = false;
};

int open_inside(int root, const std::string& path, int flags, Resolver resolver, Edge edge) {
    if (resolver != Resolver::by_hand) {
        const int fd = open_by_kernel(root, path, flags | O_CLOEXEC, edge);
        const bool no_call = fd == -ENOSYS || fd == -EPERM || fd == -EAGAIN;
        if (resolver == Resolver::kernel || !no_call) {
            return fd;
        }
    }
    return Walk(root, path, edge).open(flags);
}

}  // namespace

int open_in_jail(int root, const std::string& path, int flags, Resolver resolver) {
    return open_inside(root, path, flags, resolver, Edge::root);
}

int open_beneath(int folder, const std::string& path, int flags, Resolver resolver) {
    return open_inside(folder, path, flags, resolver, Edge::refused);
}

JailPlace place_in_jail(int root, std::string path, Resolver resolver) {
    for (int links = 0; links <= max_links; ++links) {
        const auto slash = path.rfind('/');
        const std::string above = path.substr(0, slash + 1);
        std::string name = path.substr(slash + 1);
        if (name.empty() || name == "." || name == "..") {
            return {{}, "", EISDIR};
        }
        const int fd =
            open_in_jail(root, above.empty() ? "/" : above, O_PATH | O_DIRECTORY, resolver);
        if (fd < 0) {
            return {{}, "", -fd};
        }
        Fd folder(fd);
        const std::string target = link_text(folder.get(), name);
        if (target.empty()) {
            return {std::move(folder), std::move(name), 0};
        }
        path = target.front() == '/' ? target : above + target;
    }
    return {{}, "", ELOOP};
}

void push_names(std::vector<std::string>& names, std::string_view path) {
    const auto parts = split(path, '/');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        if (!part->empty() && *part != ".") {
            names.emplace_back(*part);
        }
    }
}

}  // namespace rocenv
