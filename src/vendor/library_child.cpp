// SPDX-License-Identifier: MIT
#include "vendor/library_child.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <vector>

#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "util/rocm_folders.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t stop_ms = 500;

// Runs the child.
void help(int fd, const LibraryWork& work) {
    Channel channel{Fd(fd)};
    const auto answer = work.answer();
    send_result(channel, answer);
    if (answer && work.stop) {
        work.stop();
    }
}

std::string died_text(int status) {
    return WIFSIGNALED(status) ? "ended its process: signal " + number(WTERMSIG(status))
                               : "ended its process";
}

Result<Fields> wait_for_answer(const std::string& library, Channel& channel, Child& helper,
                               std::int64_t allowed_ms, bool stops) {
    Fields message;
    Fields nothing;
    WaitLine line;
    const std::int64_t end = now_ms() + allowed_ms;
    const auto got = receive_showing(channel, message, end, line,
                                     [&] { line.show_wait("waiting for", library, end); });
    if (got == Channel::Got::message && stops) {
        channel.receive(nothing, now_ms() + stop_ms);
    }
    const auto end_of_helper = helper.kill(channel.fd());
    if (got == Channel::Got::message) {
        return result_in(std::move(message), library);
    }
    if (got == Channel::Got::closed) {
        return library_error(library, ErrorKind::io, died_text(helper.status()));
    }
    return library_error(
        library, ErrorKind::timed_out,
        "did not answer in " + seconds_text(allowed_ms) +
            (end_of_helper == Child::End::gone ? ""
                                               : "; " + helper.left_behind(end_of_helper, "")));
}

}  // namespace

Error library_error(const std::string& library, ErrorKind kind, const std::string& text, int err) {
    return {kind, err, "", library + " " + text};
}

Result<Fields> ask_library(const std::string& library, double seconds, const LibraryWork& work) {
    Child helper = Child::start(Child::Line::socket, [&](int fd) { help(fd, work); });
    if (!helper) {
        return library_error(library, ErrorKind::io, "is not loaded: fork failed");
    }
    Channel channel(helper.take_line());
    return wait_for_answer(library, channel, helper, static_cast<std::int64_t>(seconds * 1000),
                           static_cast<bool>(work.stop));
}

namespace {

// The loader's own search, then ROCm's folders.
const std::array library_folders{std::string(), std::string(rocm_default) + "/lib/",
                                 std::string(rocm_default) + std::string(rocm_core) + "/lib/"};

constexpr std::array<std::string_view, 9> level_words{
    "auto", "low", "high", "manual", "standard", "peak", "min_mclk", "min_sclk", "determinism"};

}  // namespace

std::optional<Error> AmdLibrary::open() {
    std::string why;
    for (const std::string& folder : library_folders) {
        for (const char* soname : sonames_) {
            file_ = folder + soname;
            handle_ = ::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (handle_ != nullptr) {
                return std::nullopt;
            }
            note_fault(why);
        }
    }
    const std::vector<std::string> names(sonames_.begin(), sonames_.end());
    return why.empty() ? failure(ErrorKind::not_here,
                                 "is not found by the loader, in /opt/rocm/lib or in "
                                 "/opt/rocm/core/lib: no " +
                                     join(names, ", "))
                       : failure(ErrorKind::io, "cannot be loaded: " + why);
}

std::optional<Error> AmdLibrary::lacking() const {
    return missing_.empty()
               ? std::nullopt
               : std::optional(failure(ErrorKind::io, file_ + " has no function " + missing_));
}

Error AmdLibrary::failure(ErrorKind kind, const std::string& text, int err) const {
    return library_error(name_, kind, text, err);
}

std::string AmdLibrary::status_text(int status, std::string_view words) {
    return "status " + number(static_cast<unsigned>(status)) +
           (words.empty() ? "" : " (" + std::string(words) + ")");
}

void* AmdLibrary::symbol(const char* name) const {
    return ::dlsym(handle_, name);
}

// Keeps the first fault other than the absence of the file itself.
void AmdLibrary::note_fault(std::string& why) const {
    const std::string fault = ::dlerror();
    const bool absent = fault.starts_with(file_ + ": cannot open shared object file: No such");
    if (why.empty() && !absent) {
        why = printable(fault);
    }
}

std::optional<Error> hide_shared_folders(const AmdLibrary& library) {
    const auto fault = [&](const char* what, int err) {
        const bool permission = err == EPERM || err == EACCES;
        return library.failure(permission ? ErrorKind::not_permitted : ErrorKind::io,
                               "is not loaded: " + std::string(what) + ": " + errno_text(err), err);
    };
    if (::unshare(CLONE_NEWNS) != 0) {
        return fault("a /dev/shm and /tmp of its own need root and the right to mount", errno);
    }
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        return fault("its mounts cannot be made private", errno);
    }
    for (const char* folder : {"/dev/shm", "/tmp"}) {
        if (::mount("none", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=16m") != 0) {
            return fault(folder, errno);
        }
    }
    return std::nullopt;
}

std::string packed_bdf(std::uint64_t id) {
    return bare_hex(id >> 32, 4) + ":" + bare_hex(id >> 8 & 0xff, 2) + ":" +
           bare_hex(id >> 3 & 0x1f, 2) + "." + number(id & 7);
}

bool is_partition(std::uint64_t id) {
    return (id >> 28 & 0xf) != 0;
}

std::vector<SmiDevice> devices_of(const Fields& fields) {
    std::vector<SmiDevice> out;
    for (std::size_t at = 0; at + 1 < fields.size(); at += 2) {
        out.push_back({fields[at], fields[at + 1]});
    }
    return out;
}

std::string smi_level_text(int level) {
    const auto at = static_cast<std::size_t>(level);
    return at < level_words.size() ? std::string(level_words[at]) : "unknown";
}

}  // namespace rocenv
