// SPDX-License-Identifier: MIT
#include "os/child/direct_run.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <map>
#include <string_view>
#include <utility>

#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "os/fs/posix_fs.h"
#include "util/text.h"

namespace rocenv {

namespace {

// An exception: the work reads a file that may block.
struct NeedsHelper {};

const std::string kfd = "/sys/class/kfd";
constexpr std::string_view pci = "/sys/bus/pci/devices";

bool is_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// The real machine without files that may block. Each folder is listed once. KFD nodes are read by
// their own helper at the first access.
class PromptFs final : public Fs {
   public:
    PromptFs(const Fs& inner, LeftBehind& left)
        : inner_(inner), left_(left), has_kfd_(exists(inner, kfd)) {}

    Result<std::string> read(const std::string& path) const override {
        if (has_kfd_ && is_below(path, kfd)) {
            const auto& files = ahead().files;
            const auto found = files.find(path);
            return found != files.end() ? found->second : throw NeedsHelper();
        }
        return of(path).read(path);
    }
    Result<std::string> read_trusted(const std::string& path) const override {
        return of(path).read_trusted(path);
    }
    Result<std::string> read_at(const std::string& path, std::uint64_t offset,
                                std::size_t size) const override {
        return of(path).read_at(path, offset, size);
    }
    Result<std::vector<std::string>> list(const std::string& path) const override {
        if (has_kfd_ && path == KfdAhead::nodes) {
            return ahead().names;
        }
        const auto known = lists_.find(path);
        return known != lists_.end() ? known->second
                                     : lists_.emplace(path, of(path).list(path)).first->second;
    }
    Result<std::string> link(const std::string& path) const override { return of(path).link(path); }
    Result<std::uint64_t> size(const std::string& path) const override {
        return of(path).size(path);
    }
    Result<std::uint64_t> capacity(const std::string& path) const override {
        return of(path).capacity(path);
    }
    Result<Access> access(const std::string& path) const override { return of(path).access(path); }
    bool is_real() const override { return inner_.is_real(); }
    std::string remark() const override { return inner_.remark(); }

   private:
    const Fs& of(const std::string& path) const {
        if (may_keep_silent(path) || (has_kfd_ && is_below(path, kfd))) {
            throw NeedsHelper();
        }
        return inner_;
    }

    // Reads the KFD topology. The driver of a GPU responds within microseconds; after 100 ms the
    // work runs in a normal helper.
    const KfdAhead& ahead() const {
        constexpr std::int64_t patience_ms = 100;
        if (!ahead_) {
            ahead_ = read_kfd_ahead("", patience_ms, left_);
        }
        return ahead_ ? *ahead_ : throw NeedsHelper();
    }

    const Fs& inner_;
    LeftBehind& left_;
    const bool has_kfd_;
    mutable std::optional<KfdAhead> ahead_;
    mutable std::map<std::string, Result<std::vector<std::string>>> lists_;
};

// Returns true for file systems on local disks or in memory.
bool is_local(std::string_view type) {
    constexpr std::array<std::string_view, 15> types{
        "bcachefs", "btrfs", "erofs",  "ext2",     "ext3",  "ext4", "f2fs", "iso9660",
        "overlay",  "ramfs", "rootfs", "squashfs", "tmpfs", "xfs",  "zfs"};
    return std::find(types.begin(), types.end(), type) != types.end();
}

// Returns true for a line of mounts (source, which may be empty, mount point, type) that cannot
// block.
bool is_quiet(std::string_view line) {
    const auto fields = split(line, ' ');
    constexpr std::array<std::string_view, 4> others{"/proc", "/sys", "/dev", "/run"};
    return fields.size() > 2 &&
           (is_local(fields[2]) ||
            std::any_of(others.begin(), others.end(),
                        [&](std::string_view folder) { return is_below(fields[1], folder); }));
}

}  // namespace

bool all_local(std::string_view mounts) {
    const auto lines = split(mounts, '\n');
    return !mounts.empty() &&  // a root without a mount is unknown
           std::all_of(lines.begin(), lines.end(),
                       [](std::string_view line) { return line.empty() || is_quiet(line); });
}

bool may_keep_silent(std::string_view path) {
    constexpr std::string_view proc = "/proc/";
    // Data of PCI functions that the kernel has in memory, so that reads do not touch the device.
    const bool in_memory = path == pci || (is_below(path, pci) && path.ends_with("/modalias"));
    const bool of_process = path.starts_with(proc) && path.size() > proc.size() &&
                            path[proc.size()] >= '0' && path[proc.size()] <= '9';
    return of_process || is_below(path, "/dev") || is_below(path, "/run") ||
           (is_below(path, "/sys") && !in_memory && !is_below(path, kfd));
}

std::optional<Output> run_directly(const Work& work, LeftBehind& left) {
    const auto real = real_fs();
    const auto mounts = real->read("/proc/self/mounts");
    if (!mounts || !all_local(*mounts)) {
        return std::nullopt;
    }
    const PromptFs prompt(*real, left);
    try {
        return work(prompt, prompt);
    } catch (const NeedsHelper&) {
        return std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;  // the caller reports the reason when a helper ends this way
    }
}

const std::string KfdAhead::nodes = "/sys/class/kfd/kfd/topology/nodes";

namespace {

const std::string generation_path = "/sys/class/kfd/kfd/topology/generation_id";
constexpr std::string_view properties = "/properties";
constexpr std::uint32_t most_nodes = 256;
constexpr std::size_t page = 4096;  // maximum size of an attribute

// The header of each sent file; its name within the topology and its bytes follow.
struct Head {
    enum class About : std::int32_t { folder, generation, node, end } about = About::end;
    std::int32_t err = 0;
    std::uint32_t name = 0;
    std::uint32_t bytes = 0;
};

// The helper's side. It allocates no memory, because each written page is copied.
class Sender {
   public:
    explicit Sender(int pipe) : pipe_(pipe) {}

    void send(Head head, std::string_view name, std::string_view bytes) {
        head.name = static_cast<std::uint32_t>(name.size());
        head.bytes = static_cast<std::uint32_t>(bytes.size());
        put(std::string_view(reinterpret_cast<const char*>(&head), sizeof head));
        put(name);
        put(bytes);
    }

    void flush() {
        for (std::size_t at = 0; at < used_;) {
            const ssize_t sent = ::write(pipe_, buffer_.data() + at, used_ - at);
            if (sent < 0 && errno != EINTR) {
                ::_exit(1);
            }
            at += sent < 0 ? 0 : static_cast<std::size_t>(sent);
        }
        used_ = 0;
    }

   private:
    void put(std::string_view bytes) {
        if (bytes.size() > buffer_.size() - used_) {
            flush();
        }
        std::copy(bytes.begin(), bytes.end(), buffer_.data() + used_);
        used_ += bytes.size();
    }

    int pipe_;
    std::array<char, 4 * page> buffer_;
    std::size_t used_ = 0;
};

void send_file(Sender& sender, Head::About about, int folder, const char* path,
               std::string_view name) {
    Head head{about, 0, 0, 0};
    std::array<char, page> text;
    const int file = ::openat(folder, path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    const ssize_t got = file < 0 ? -1 : ::read(file, text.data(), text.size());
    head.err = got < 0 ? errno : 0;
    ::close(file);
    if (got == static_cast<ssize_t>(page)) {
        ::_exit(1);  // attributes of KFD are shorter
    }
    sender.send(head, name, {text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
}

void send_node(Sender& sender, int folder, std::string_view name) {
    if (name.size() > NAME_MAX) {
        ::_exit(1);  // longer names are possible with FUSE
    }
    std::array<char, NAME_MAX + properties.size() + 1> path{};
    std::copy(properties.begin(), properties.end(),
              std::copy(name.begin(), name.end(), path.begin()));
    send_file(sender, Head::About::node, folder, path.data(), name);
}

// Sends the entries of getdents64(2). Returns their number.
std::uint32_t send_entries(Sender& sender, int folder, const char* entries, std::size_t size) {
    std::uint32_t count = 0;
    for (std::size_t at = 0; at < size;) {
        const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") {
            send_node(sender, folder, name);
            ++count;
        }
        at += entry->d_reclen;
    }
    return count;
}

// Sends all nodes. Returns false if there are too many, or if the list fails.
bool send_nodes(Sender& sender, int folder) {
    alignas(dirent64) std::array<char, 2 * page> entries;
    for (std::uint32_t count = 0; count <= most_nodes;) {
        const auto got = ::syscall(SYS_getdents64, folder, entries.data(), entries.size());
        if (got <= 0) {
            return got == 0;
        }
        count += send_entries(sender, folder, entries.data(), static_cast<std::size_t>(got));
    }
    return false;
}

void send_all(const char* nodes, const char* generation_id, int pipe) {
    Sender sender(pipe);
    const int folder = ::open(nodes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    sender.send({Head::About::folder, folder < 0 ? errno : 0, 0, 0}, {}, {});
    if (folder >= 0) {
        send_file(sender, Head::About::generation, AT_FDCWD, generation_id, {});
        if (!send_nodes(sender, folder)) {
            ::_exit(1);
        }
        send_file(sender, Head::About::generation, AT_FDCWD, generation_id, {});
    }
    sender.send({Head::About::end, 0, 0, 0}, {}, {});
    sender.flush();
}

bool same(const Result<std::string>& one, const Result<std::string>& other) {
    return one.ok() == other.ok() &&
           (one ? *one == *other : one.error().kind == other.error().kind);
}

// The caller's side: assembles the bytes of the pipe.
class Receiver {
   public:
    // Adds bytes. Returns false if they are invalid.
    bool take(std::string_view more) {
        arrived_ += more;
        std::string_view rest = arrived_;
        Head head;
        while (good_ && !ended_ && rest.size() >= sizeof head) {
            std::memcpy(&head, rest.data(), sizeof head);
            const std::size_t size = sizeof head + std::size_t{head.name} + head.bytes;
            if (rest.size() < size) {
                break;
            }
            take(head, rest.substr(sizeof head, head.name),
                 rest.substr(sizeof head + head.name, head.bytes));
            rest.remove_prefix(size);
        }
        arrived_.erase(0, arrived_.size() - rest.size());
        return good_;
    }
    bool ended() const { return ended_; }
    KfdAhead result() {
        if (ahead_.names) {
            std::sort(ahead_.names.value().begin(), ahead_.names.value().end());
        }
        return std::move(ahead_);
    }

   private:
    void take(const Head& head, std::string_view name, std::string_view bytes) {
        const std::string path = head.about == Head::About::generation
                                     ? generation_path
                                     : KfdAhead::nodes + "/" + std::string(name) + "/properties";
        auto answer = head.err == 0 ? Result<std::string>(std::string(bytes))
                                    : errno_error("read", path, head.err);
        switch (head.about) {
            case Head::About::folder:
                if (head.err != 0) {
                    ahead_.names = errno_error("list", KfdAhead::nodes, head.err);
                }
                return;
            case Head::About::generation: {
                const auto [before, first] = ahead_.files.emplace(path, answer);
                good_ = first || same(before->second, answer);
                return;
            }
            case Head::About::node:
                ahead_.names.value().emplace_back(name);
                ahead_.files.emplace(path, std::move(answer));
                return;
            case Head::About::end:
                ended_ = true;
        }
    }

    std::string arrived_;
    bool good_ = true;
    bool ended_ = false;
    KfdAhead ahead_{std::vector<std::string>(), {}};
};

// Returns true after unshare(1) -p without -f. The first child is then init of the children's
// namespace, and after its end no other child can start. Before the first child that namespace has
// no name.
bool children_are_elsewhere() {
    const auto real = real_fs();
    const auto own = real->link("/proc/self/ns/pid");
    const auto of_children = real->link("/proc/self/ns/pid_for_children");
    return own && (!of_children || *own != *of_children);
}

// Receives until the end; returns false if a part is missing.
bool receive(const Child& child, std::int64_t until_ms, Receiver& receiver) {
    std::array<char, 4 * page> part;
    while (!receiver.ended()) {
        const ssize_t got =
            child.wait_until(until_ms) ? ::read(child.line(), part.data(), part.size()) : -1;
        if (got <= 0 || !receiver.take({part.data(), static_cast<std::size_t>(got)})) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::string LeftBehind::still() const {
    return helper > 0 && ::waitpid(helper, nullptr, WNOHANG) == 0 ? text : "";
}

std::optional<KfdAhead> read_kfd_ahead(const std::string& root, std::int64_t ms, LeftBehind& left) {
    if (children_are_elsewhere()) {
        return std::nullopt;
    }
    const std::string nodes = root + KfdAhead::nodes;
    const std::string generation_id = root + generation_path;
    Child helper = Child::start(
        Child::Line::pipe, [&](int pipe) { send_all(nodes.c_str(), generation_id.c_str(), pipe); });
    if (!helper) {
        return std::nullopt;
    }
    Receiver receiver;
    const bool whole = receive(helper, now_ms() + ms, receiver);
    if (const auto end = helper.kill(); end != Child::End::gone) {
        left = {helper.pid(), helper.left_behind(end, KfdAhead::nodes)};
    }
    return whole ? std::optional(receiver.result()) : std::nullopt;
}

}  // namespace rocenv
