// SPDX-License-Identifier: MIT
#include "os/child/direct_run.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>

#include "os/fs/posix_fs.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Thrown where the work asks for what may keep silent.
struct NeedsHelper {};

const std::string kfd = "/sys/class/kfd";
constexpr std::string_view pci = "/sys/bus/pci/devices";

bool is_below(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// The machine as it is, but for what may keep silent. Each folder is listed once. Where there is
// KFD its nodes are read by a helper of their own, when the first of them is asked for.
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

    // A GPU's driver answers in microseconds. One that does not is left to those who wait longer.
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

// Whose files are on this machine's disks or in its memory.
bool is_local(std::string_view type) {
    constexpr std::array<std::string_view, 15> types{
        "bcachefs", "btrfs", "erofs",  "ext2",     "ext3",  "ext4", "f2fs", "iso9660",
        "overlay",  "ramfs", "rootfs", "squashfs", "tmpfs", "xfs",  "zfs"};
    return std::find(types.begin(), types.end(), type) != types.end();
}

// Of a line of mounts: what (which may be empty), where, and its type.
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
    return !mounts.empty() &&  // of a root that is no mount nothing is known
           std::all_of(lines.begin(), lines.end(),
                       [](std::string_view line) { return line.empty() || is_quiet(line); });
}

bool may_keep_silent(std::string_view path) {
    constexpr std::string_view proc = "/proc/";
    // What the kernel keeps in memory of each PCI function, asked for without touching it.
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
        return std::nullopt;  // of a helper that ends so the caller says why
    }
}

}  // namespace rocenv
