// SPDX-License-Identifier: MIT
// Messages between a helper and its caller: a few strings each, over a socketpair(2); also results
// as such messages.
#pragma once

#include <sys/types.h>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "os/fd.h"
#include "rocenv/result.h"

namespace rocenv {

using Fields = std::vector<std::string>;

// One end of a socketpair(2).
class Channel {
   public:
    Channel() = default;
    explicit Channel(Fd end) : end_(std::move(end)) {}

    // Returns the descriptor of this end; -1 if it is closed.
    int fd() const { return end_.get(); }
    explicit operator bool() const { return static_cast<bool>(end_); }

    // Sends one message and waits until it is in the socket. Returns false if the other end is
    // closed.
    bool send(std::span<const std::string_view> fields);

    enum class Got { message, closed, timed_out };
    // Receives the next message into `fields`; other results leave them unchanged. Waits until
    // `until_ms` on the clock of now_ms(); 0 waits without limit. A part of a message is kept for
    // the next call.
    Got receive(Fields& fields, std::int64_t until_ms);

   private:
    bool take(Fields& fields);

    Fd end_;
    std::string arrived_;
};

// Sends a result. Returns false if the other end is closed.
bool send_result(Channel& channel, const Result<Fields>& result);

// Returns the result that send_result() sent. Any other message is an error of kind io: "SENDER
// gave no whole answer".
Result<Fields> result_in(Fields message, const std::string& sender);

// One forked child: a command's helper, the helper of a file system, a probe of a library, or a
// reader of KFD nodes or paths. It dies with its caller. It may be stuck in the kernel as long as a
// driver or a file system does not respond.

// A forked process and the caller's end of the line to it.
class Child {
   public:
    // The connection between a child and its caller.
    enum class Line {
        pipe,    // the child has the writing end
        socket,  // bidirectional, for a Channel
    };
    // The end of a killed child. in_kernel: it is in an uninterruptible wait. late: it still exists
    // after a second, for example on a busy machine.
    enum class End { gone, in_kernel, late };

    Child() = default;
    // Forks a child that calls `life` with its end of the line, and ends when `life` returns or
    // throws. All other descriptors of the caller are closed: a reader of the caller's stdout must
    // see its end even if a child is stuck. Descriptors 0 to 2 are /dev/null, so that output of a
    // library cannot reach a kernel file. A terminal does not stop the child, because its caller
    // waits for it. Without free descriptors or processes no child starts.
    static Child start(Line line, const std::function<void(int)>& life);

    // Returns true if the child was started, also after its end.
    explicit operator bool() const { return pid_ > 0; }
    // Returns the process id.
    pid_t pid() const { return pid_; }
    // Returns the caller's end of the line.
    int line() const { return line_.get(); }
    // Moves the end out, for a Channel. kill() then needs its descriptor.
    Fd take_line() { return std::move(line_); }

    // Waits until data or the end of the line is available. Returns false at `until_ms` on the
    // clock of now_ms(), or if poll(2) fails.
    bool wait_until(std::int64_t until_ms) const;
    // Waits for the end of a child that has closed its end of the line.
    void reap();
    // Kills the child. Waits until it is gone, is seen in an uninterruptible wait for 200 ms, or a
    // second has passed. `line` is the caller's end.
    End kill(int line);
    End kill() { return kill(line_.get()); }

    // Returns the status of waitpid(2) of a child after reap() or End::gone; 0 before.
    int status() const { return status_; }
    // Returns a sentence about a child that is not gone, without a line end. `path` is its last
    // file; empty if unknown.
    std::string left_behind(End end, const std::string& path) const;

   private:
    Fd line_;
    pid_t pid_ = -1;
    int status_ = 0;
};

// Returns "too little stack: ulimit -s is 48 KiB, 256 KiB are needed"; empty if the stack suffices.
std::string scarce_stack();
// Returns "too little address space: ulimit -v is 20000 KiB" for a process that ran out of memory;
// empty if its address space has no limit.
std::string scarce_space();

// Returns a duration as text, cut to tenths: "5 s", "0.2 s".
std::string seconds_text(std::int64_t ms);

}  // namespace rocenv
