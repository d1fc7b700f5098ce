// SPDX-License-Identifier: MIT
#include "kill/system_calls.h"

#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace {

struct Call {
    std::uint64_t number;
    std::string_view name;
};

// clang-format off
#define CALL(name) Call{SYS_##name, #name},

constexpr auto calls = std::to_array<Call>({
    CALL(accept4) CALL(bind) CALL(brk) CALL(chdir) CALL(clock_nanosleep) CALL(clone) CALL(clone3)
    CALL(close) CALL(close_range) CALL(connect) CALL(copy_file_range) CALL(dup) CALL(dup3)
    CALL(execve) CALL(execveat) CALL(exit) CALL(exit_group) CALL(faccessat) CALL(faccessat2)
    CALL(fallocate) CALL(fchmod) CALL(fchmodat) CALL(fchown) CALL(fchownat) CALL(fcntl)
    CALL(fdatasync) CALL(flock) CALL(fstat) CALL(fstatfs) CALL(fsync) CALL(ftruncate) CALL(futex)
    CALL(getdents64) CALL(getegid) CALL(geteuid) CALL(getgid) CALL(getpid) CALL(getppid)
    CALL(getrandom) CALL(getuid) CALL(ioctl) CALL(kill) CALL(linkat) CALL(lseek) CALL(madvise)
    CALL(mkdirat) CALL(mmap) CALL(mprotect) CALL(mremap) CALL(munmap) CALL(nanosleep)
    CALL(newfstatat) CALL(openat) CALL(openat2) CALL(pipe2) CALL(ppoll) CALL(prctl) CALL(pread64)
    CALL(prlimit64) CALL(pselect6) CALL(pwrite64) CALL(pwritev) CALL(pwritev2) CALL(read)
    CALL(readlinkat) CALL(readv) CALL(recvfrom) CALL(recvmmsg) CALL(recvmsg) CALL(renameat)
    CALL(renameat2) CALL(rseq) CALL(rt_sigaction) CALL(rt_sigprocmask) CALL(rt_sigreturn)
    CALL(rt_sigtimedwait) CALL(sendfile) CALL(sendmmsg) CALL(sendmsg) CALL(sendto) CALL(setgroups)
    CALL(setresgid) CALL(setresuid) CALL(set_robust_list) CALL(set_tid_address) CALL(shutdown)
    CALL(socket) CALL(socketpair) CALL(splice) CALL(statfs) CALL(statx) CALL(symlinkat) CALL(sync)
    CALL(sync_file_range) CALL(syncfs) CALL(tgkill) CALL(truncate) CALL(umask) CALL(uname)
    CALL(unlinkat) CALL(utimensat) CALL(wait4) CALL(waitid) CALL(write) CALL(writev)
#ifdef SYS_open  // missing on newer architectures
    CALL(access) CALL(chmod) CALL(chown) CALL(creat) CALL(dup2) CALL(epoll_wait) CALL(fork)
    CALL(link) CALL(lstat) CALL(mkdir) CALL(open) CALL(pause) CALL(pipe) CALL(poll) CALL(readlink)
    CALL(rename) CALL(rmdir) CALL(select) CALL(stat) CALL(symlink) CALL(unlink) CALL(vfork)
#endif
});
// clang-format on

}  // namespace

std::string call_name(std::uint64_t number) {
    const auto* const found = std::find_if(calls.begin(), calls.end(),
                                           [&](const Call& call) { return call.number == number; });
    return found == calls.end() ? std::to_string(number) : std::string(found->name);
}

std::optional<std::uint64_t> call_number(std::string_view name) {
    const auto* const found = std::find_if(calls.begin(), calls.end(),
                                           [&](const Call& call) { return call.name == name; });
    if (found != calls.end()) {
        return found->number;
    }
    std::uint64_t number = 0;
    const auto [end, err] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = err == std::errc() && end == name.data() + name.size();
    return whole ? std::optional(number) : std::nullopt;
}
