// SPDX-License-Identifier: MIT
#include "os/state/run_lock.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view hold_start = "run/";
constexpr std::string_view file_start = "run-";
constexpr std::string_view file_end = ".alive";
constexpr mode_t unshared = 0600;  // until it is locked
constexpr mode_t readable = 0644;

// "run-4711-1f2e3d4c.alive"; empty for what is no such hold.
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

// A lock of the open file description goes with its last descriptor, whatever ended the process; a
// lock of the process would go with any descriptor of the file that it closes.
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
