// SPDX-License-Identifier: MIT
#include "os/child/wait_line.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "os/child/shared_log.h"
#include "rocenv/process.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::int64_t second_ms = 1000;
constexpr std::size_t usual_columns = 80;
constexpr std::size_t longest_name = 4096;

bool quiet = false;
std::size_t shown_width = 0;  // width of the line on the terminal, which is shared by the process

// Returns the terminal, opened again so that O_NONBLOCK does not affect the caller; invalid in the
// background.
Fd terminal_in_front() {
    if (quiet || !stderr_is_terminal()) {
        return {};
    }
    const pid_t front = ::tcgetpgrp(STDERR_FILENO);
    const bool behind = front >= 0 && front != ::getpgrp();
    return behind ? Fd()
                  : Fd(::open("/proc/self/fd/2", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
}

std::size_t columns_of(const Fd& terminal) {
    const std::size_t columns = columns_of_terminal(terminal.get());
    return columns > 0 ? columns : usual_columns;
}

// Returns the end of a name in at most `most` bytes (at least as many as columns); empty if that is
// too short to be useful.
std::string end_of(const std::string& name, std::size_t most) {
    constexpr std::string_view dots = "...";
    constexpr std::size_t least = 8;
    if (name.size() <= most || most < least) {
        return name.size() <= most ? name : "";
    }
    std::size_t at = name.size() - (most - dots.size());
    while (at < name.size() && utf8_length(std::string_view(name).substr(at)) == 0) {
        ++at;
    }
    return std::string(dots) + name.substr(at);
}

std::string line_of(const std::string& what, const std::string& name, const std::string& rest,
                    std::size_t columns) {
    const std::size_t room = columns - std::min(columns, rest.size());
    const std::string shown = end_of(name, room - std::min(room, what.size() + 1));
    const std::string whole = shown.empty() ? what.substr(0, room) : what + " " + shown;
    return (whole + rest).substr(0, columns);
}

}  // namespace

bool stderr_is_terminal() {
    return ::isatty(STDERR_FILENO) == 1;
}

void disable_wait_line() {
    quiet = true;
}

void WaitLine::begin() {
    due_ms_ = now_ms() + second_ms;
}

WaitLine::~WaitLine() {
    if (terminal_ && shown_width > 0) {
        show("");
    }
}

void WaitLine::show_step(const std::string& name, const Step& step) {
    constexpr std::int64_t slow_ms = 500;
    if (now_ms() - step.since_ms >= slow_ms) {
        show_wait("waiting for", name, step.until_ms);
    } else {
        show_wait(step.writes ? "writing" : "reading", name, step.deadline_ms);
    }
}

void WaitLine::show_wait(const std::string& what, const std::string& name, std::int64_t until_ms) {
    const std::int64_t now = now_ms();
    if (now < due_ms_) {
        return;
    }
    due_ms_ = now + second_ms;
    terminal_ = terminal_in_front();
    if (terminal_) {
        const std::int64_t left = std::max<std::int64_t>(until_ms - now + second_ms - 1, 0);
        show(line_of("rocenv: " + what, printable(name, longest_name),
                     ": " + number(left / second_ms) + " s at most", columns_of(terminal_) - 1));
    }
}

// Overwrites the shown line; blanks cover the rest of a longer one.
void WaitLine::show(const std::string& text) {
    const std::string blanks(shown_width - std::min(shown_width, text.size()), ' ');
    const std::string line = "\r" + text + blanks + (text.empty() ? "\r" : "");
    const bool shown = ::write(terminal_.get(), line.data(), line.size()) > 0;
    shown_width = shown ? text.size() : shown_width;
}

Channel::Got receive_showing(Channel& channel, std::vector<std::string>& fields,
                             std::int64_t until_ms, const WaitLine& line,
                             const std::function<void()>& show_wait) {
    for (;;) {
        const auto got = channel.receive(fields, std::min(until_ms, line.due_ms()));
        if (got != Channel::Got::timed_out || now_ms() >= until_ms) {
            return got;
        }
        show_wait();
    }
}

}  // namespace rocenv
