// SPDX-License-Identifier: MIT
#include "os/state/lock_holder.h"

#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>

#include "os/fs/posix_fs.h"
#include "os/fs/safe_folder.h"
#include "util/text.h"

namespace rocenv {

namespace {

enum class Held { no, perhaps, yes };
struct Lock {
    Held held = Held::no;
    std::string pid;  // who took it, as this pid namespace counts; empty unless it is held
};

// A line is "1: FLOCK  ADVISORY  WRITE 1234 00:1a:4242 0 EOF", device numbers in hexadecimal; one
// with "->" waits. Some file systems (btrfs, overlay) give stat(2) another device number: there the
// inode alone proves nothing.
Lock lock_on(const std::string& locks, const struct stat& file) {
    constexpr std::size_t pid_field = 4;
    const std::string inode = ":" + number(file.st_ino) + " ";
    const std::string place =
        " " + bare_hex(major(file.st_dev), 2) + ":" + bare_hex(minor(file.st_dev), 2) + inode;
    Lock out;
    for (const auto line : split(locks, '\n')) {
        const auto fields = words(line);
        const bool held = line.find(" FLOCK ") != std::string_view::npos &&
                          line.find("->") == std::string_view::npos && fields.size() > pid_field;
        if (held && line.find(place) != std::string_view::npos) {
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

// Whoever has just got it has yet to sign, and what is no rocenv never does.
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

}  // namespace rocenv
