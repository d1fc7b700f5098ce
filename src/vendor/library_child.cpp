// SPDX-License-Identifier: MIT
#include "vendor/library_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include "os/child/helper_process.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t stop_ms = 500;

// The child's whole life. noexcept: what the library throws must not unwind into a second copy of
// the caller.
[[noreturn]] void help(int fd, const LibraryWork& work) noexcept {
    Channel channel{Fd(become_helper(fd))};
    const auto answer = work.answer();
    send_result(channel, answer);
    if (answer && work.stop) {
        work.stop();
    }
    ::_exit(0);
}

std::string died_text(int status) {
    return WIFSIGNALED(status) ? "ended its process: signal " + number(WTERMSIG(status))
                               : "ended its process";
}

Result<Fields> wait_for_answer(const std::string& library, Channel& channel, pid_t helper,
                               std::int64_t allowed_ms, bool stops) {
    Fields message;
    Fields nothing;
    WaitLine line;
    const std::int64_t end = now_ms() + allowed_ms;
    const auto got = receive_telling(channel, message, end, line,
                                     [&] { line.tell("waiting for", library, end); });
    if (got == Channel::Got::message && stops) {
        channel.receive(nothing, now_ms() + stop_ms);
    }
    int status = 0;
    const HelperEnd fate = end_helper(helper, channel.fd(), status);
    if (got == Channel::Got::message) {
        return result_in(std::move(message), library);
    }
    if (got == Channel::Got::closed) {
        return library_error(library, ErrorKind::io, died_text(status));
    }
    return library_error(
        library, ErrorKind::timed_out,
        "did not answer in " + seconds_text(allowed_ms) +
            (fate == HelperEnd::gone ? "" : "; " + left_behind_text(helper, fate, "")));
}

}  // namespace

Error library_error(const std::string& library, ErrorKind kind, const std::string& text, int err) {
    return {kind, err, "", library + " " + text};
}

Result<Fields> ask_library(const std::string& library, double seconds, const LibraryWork& work) {
    auto [mine, its] = channel_pair();
    const pid_t helper = its ? fork_helper() : -1;
    if (helper == 0) {
        help(its.fd(), work);
    }
    if (helper < 0) {
        return library_error(library, ErrorKind::io, "is not loaded: fork failed");
    }
    its = Channel();
    return wait_for_answer(library, mine, helper, static_cast<std::int64_t>(seconds * 1000),
                           static_cast<bool>(work.stop));
}

}  // namespace rocenv
