// SPDX-License-Identifier: MIT
#include "os/child/child_process.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "os/child/shared_log.h"
#include "os/fs/posix_fs.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int poll_ms = 10;
// Time in an uninterruptible wait after the kill. A page fault on a busy disk can take 100 ms as
// well.
constexpr int stuck_ms = 200;
constexpr int fair_ms = 1000;

// Returns true in state D; in proc_pid_stat(5) the state follows the name, which may hold any byte.
bool waits_in_kernel(pid_t process) {
    const auto stat = real_fs()->read("/proc/" + number(process) + "/stat");
    const auto name_end = stat ? stat->rfind(") ") : std::string::npos;
    return name_end != std::string::npos && stat->substr(name_end + 2, 1) == "D";
}

}  // namespace

// Returns the soft limit in KiB; std::nullopt if there is none or it cannot be read.
static std::optional<std::uint64_t> limit_kib(int resource) {
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY) {
        return std::nullopt;
    }
    return limit.rlim_cur / 1024;
}

std::string scarce_stack() {
    constexpr std::uint64_t least_kib = 256;  // 96 KiB are used for 64 partitions
    const auto stack = limit_kib(RLIMIT_STACK);
    return stack && *stack < least_kib ? "too little stack: ulimit -s is " + number(*stack) +
                                             " KiB, " + number(least_kib) + " KiB are needed"
                                       : "";
}

std::string scarce_space() {
    const auto space = limit_kib(RLIMIT_AS);
    return space ? "too little address space: ulimit -v is " + number(*space) + " KiB" : "";
}

// Forks a child that dies with its caller.
static pid_t fork_child() {
    const pid_t caller = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        // 0: the caller is in the parent pid namespace (unshare -p without -f).
        const pid_t parent = ::getppid();
        if (parent != caller && parent != 0) {
            ::_exit(0);  // the caller died in between
        }
    }
    return child;
}

// Closes descriptors from `first` on. glibc has close_range since 2.34, Linux since 5.9.
static void close_from(int first) {
    constexpr long close_range_call = 436;  // equal on all architectures
    if (::syscall(close_range_call, first, ~0U, 0) == 0) {
        return;
    }
    const auto open_ones = real_fs()->list("/proc/self/fd");
    for (const auto& name : open_ones ? *open_ones : std::vector<std::string>()) {
        const auto fd = parse_signed(name).value_or(-1);
        if (fd >= first) {
            ::close(static_cast<int>(fd));
        }
    }
}

// Closes all descriptors but `line`. Returns its new number.
static int keep_only(int line) {
    for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) {
        ::signal(signal, SIG_IGN);
    }
    constexpr int kept = 3;
    if (line != kept) {
        ::dup2(line, kept);
    }
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (int fd = 0; fd < kept; ++fd) {
        if (nowhere >= 0) {
            ::dup2(nowhere, fd);
        } else {
            ::close(fd);
        }
    }
    close_from(kept + 1);
    return kept;
}

// Keeps freed memory for the next allocation. A child lives for less than a second, and each page
// that it gives back and gets again costs a page fault. Large blocks are given back: lists that
// grow would leave gaps of many MiB.
static void keep_freed_memory() {
#ifdef __GLIBC__
    constexpr int large_bytes = 512 << 10;
    constexpr int most_bytes = 1 << 30;
    ::mallopt(M_MMAP_THRESHOLD, large_bytes);
    ::mallopt(M_TRIM_THRESHOLD, most_bytes);
#endif
}

// noexcept: an exception of the child must not unwind into a copy of the caller.
[[noreturn]] static void live(int line, const std::function<void(int)>& life) noexcept {
    keep_freed_memory();
    life(keep_only(line));
    ::_exit(0);
}

Child Child::start(Line line, const std::function<void(int)>& life) {
    int ends[2];
    const int made = line == Line::pipe
                         ? ::pipe2(ends, O_CLOEXEC)
                         : ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    if (made != 0) {
        return {};
    }
    Child child;
    child.line_ = Fd(ends[0]);
    const Fd its(ends[1]);
    child.pid_ = fork_child();
    if (child.pid_ == 0) {
        live(its.get(), life);
    }
    return child;
}

bool Child::wait_until(std::int64_t until_ms) const {
    for (;;) {
        const std::int64_t left = std::max<std::int64_t>(until_ms - now_ms(), 0);
        pollfd ready{line_.get(), POLLIN, 0};
        const int polled = ::poll(&ready, 1, static_cast<int>(left));
        if (polled >= 0 || errno != EINTR) {
            return polled > 0;
        }
    }
}

void Child::reap() {
    ::waitpid(pid_, &status_, 0);
}

Child::End Child::kill(int line) {
    ::kill(pid_, SIGKILL);
    const std::int64_t start = now_ms();
    std::int64_t stuck_since = start;
    for (std::int64_t now = start; now - start < fair_ms; now = now_ms()) {
        pollfd closed{line, 0, 0};
        const bool ends = ::poll(&closed, 1, poll_ms) > 0;
        // Data on the line is faster; another process may hold the child's end open.
        if (::waitpid(pid_, &status_, ends ? 0 : WNOHANG) != 0) {
            return End::gone;
        }
        stuck_since = waits_in_kernel(pid_) ? stuck_since : now_ms();
        if (now_ms() - stuck_since >= stuck_ms) {
            return End::in_kernel;
        }
    }
    return End::late;
}

std::string Child::left_behind(End end, const std::string& path) const {
    const std::string process = "helper process " + number(pid_);
    if (end == End::late) {
        return process + " was killed and is not gone yet";
    }
    return process + " cannot be ended: it waits in the kernel" +
           (path.empty() ? "" : " for " + path + " and goes when that answers");
}

std::string seconds_text(std::int64_t ms) {
    const std::string tenths = ms % 1000 == 0 ? "" : "." + number(ms % 1000 / 100);
    return number(ms / 1000) + tenths + " s";
}

namespace {

using Size = std::uint32_t;

void append_size(std::string& to, std::size_t size) {
    const auto value = static_cast<Size>(size);
    to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Reads the number at the start of `from` and removes it.
Size take_size(std::string_view& from) {
    Size value = 0;
    std::memcpy(&value, from.data(), sizeof value);
    from.remove_prefix(sizeof value);
    return value;
}

// Returns true if data or an end is available before `until_ms`.
bool wait_for(int fd, std::int64_t until_ms) {
    for (;;) {
        constexpr std::int64_t longest = 60000;
        const std::int64_t left = until_ms == 0 ? longest : until_ms - now_ms();
        pollfd wait{fd, POLLIN, 0};
        const auto timeout = static_cast<int>(std::clamp<std::int64_t>(left, 0, longest));
        if (::poll(&wait, 1, timeout) > 0) {
            return true;
        }
        if (until_ms != 0 && now_ms() >= until_ms) {
            return false;
        }
    }
}

}  // namespace

bool Channel::send(std::span<const std::string_view> fields) {
    std::string body;
    for (const auto field : fields) {
        append_size(body, field.size());
        body += field;
    }
    std::string frame;
    append_size(frame, body.size());
    frame += body;
    std::string_view left = frame;
    while (!left.empty()) {
        const ssize_t sent = ::send(end_.get(), left.data(), left.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        left.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
    }
    return true;
}

bool Channel::take(Fields& fields) {
    std::string_view rest = arrived_;
    if (rest.size() < sizeof(Size)) {
        return false;
    }
    const Size size = take_size(rest);
    if (rest.size() < size) {
        return false;
    }
    rest = rest.substr(0, size);
    fields.clear();
    while (rest.size() >= sizeof(Size)) {
        const Size length = take_size(rest);
        fields.emplace_back(rest.substr(0, length));
        rest.remove_prefix(std::min<std::size_t>(length, rest.size()));
    }
    arrived_.erase(0, sizeof(Size) + size);
    return true;
}

Channel::Got Channel::receive(Fields& fields, std::int64_t until_ms) {
    std::array<char, 65536> part;
    while (!take(fields)) {
        if (!wait_for(end_.get(), until_ms)) {
            return Got::timed_out;
        }
        const ssize_t got = ::recv(end_.get(), part.data(), part.size(), 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return Got::closed;
        }
        arrived_.append(part.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
    }
    return Got::message;
}

// Sends a value as an empty field and its fields, an error as its kind, errno, path and text.
bool send_result(Channel& channel, const Result<Fields>& result) {
    if (result) {
        std::vector<std::string_view> fields{""};
        fields.insert(fields.end(), result->begin(), result->end());
        return channel.send(fields);
    }
    const Error& error = result.error();
    const std::string kind = number(static_cast<int>(error.kind));
    const std::string err = number(error.err);
    const std::string_view fields[] = {kind, err, error.path, error.text};
    return channel.send(fields);
}

Result<Fields> result_in(Fields message, const std::string& sender) {
    constexpr std::size_t error_fields = 4;
    if (!message.empty() && message[0].empty()) {
        message.erase(message.begin());
        return message;
    }
    const auto kind = message.size() == error_fields ? parse_number(message[0]) : std::nullopt;
    const auto err = kind ? parse_signed(message[1]) : std::nullopt;
    if (!err) {
        return Error{ErrorKind::io, 0, "", sender + " gave no whole answer"};
    }
    return Error{static_cast<ErrorKind>(*kind), static_cast<int>(*err), std::move(message[2]),
                 std::move(message[3])};
}

}  // namespace rocenv
