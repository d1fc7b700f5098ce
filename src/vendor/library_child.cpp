// SPDX-License-Identifier: MIT
#include "vendor/library_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include "os/child/child_process.h"
#include "os/child/shared_log.h"
#include "os/child/wait_line.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t stop_ms = 500;

// The child's whole life.
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
    const auto got = receive_telling(channel, message, end, line,
                                     [&] { line.tell("waiting for", library, end); });
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

}  // namespace rocenv
