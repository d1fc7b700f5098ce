// SPDX-License-Identifier: MIT
// Messages between a helper and its caller: a few strings each, over one end of a socketpair(2);
// and what came of a work as one such message.
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

class Channel {
   public:
    Channel() = default;
    explicit Channel(Fd end) : end_(std::move(end)) {}

    int fd() const { return end_.get(); }
    explicit operator bool() const { return static_cast<bool>(end_); }

    // False when nobody is there to read it.
    bool send(std::span<const std::string_view> fields);

    enum class Got { message, closed, timed_out };
    // The next message, waited for until that time of now_ms(); 0 waits for ever.
    Got receive(Fields& fields, std::int64_t until_ms);

   private:
    bool take(Fields& fields);

    Fd end_;
    std::string arrived_;
};

// False when nobody is there to read it.
bool send_result(Channel& channel, const Result<Fields>& result);

// What send_result() sent; an error of kind io, "SENDER gave no whole answer", for any other
// message.
Result<Fields> result_in(Fields message, const std::string& sender);

// One forked child, of whatever kind: a command's helper, the helper behind a file system, a probe
// of a library, a reader of KFD's nodes or of what paths are. It dies with its caller, and it may
// be stuck in the kernel for as long as a driver or a file system does not answer.

class Child {
   public:
    // What connects a child with its caller.
    enum class Line {
        pipe,    // from the child, which has its writing end
        socket,  // both ways, for a Channel
    };
    // How a child ended that was killed. in_kernel: the kernel does not let it go. late: it is
    // still there after a fair wait, which a busy machine explains as well.
    enum class End { gone, in_kernel, late };

    Child() = default;
    // Forks a child that calls `life` with the descriptor of its end of the line, and ends when
    // that returns. The child keeps nothing else of its caller open: a reader of the caller's
    // stdout must see its end even while a child is stuck. Descriptors 0 to 2 lead nowhere, so that
    // a library's last words cannot reach a kernel file. A terminal does not stop it: its caller
    // waits for it. What `life` throws ends the child. Without descriptors or processes left, no
    // child starts.
    static Child start(Line line, const std::function<void(int)>& life);

    // Whether it was started.
    explicit operator bool() const { return pid_ > 0; }
    pid_t pid() const { return pid_; }
    // The caller's end of the line.
    int line() const { return line_.get(); }
    // Gives the end away, for a Channel. kill() then needs its descriptor.
    Fd take_line() { return std::move(line_); }

    // Waits until there is something to read, or the child has closed its end; false at that time
    // of now_ms().
    bool wait_until(std::int64_t until_ms) const;
    // Waits for the end of a child that has closed its end of the line.
    void reap();
    // Kills the child and waits until it is gone, is seen to stay in an uninterruptible wait, or a
    // second is over. `line`: the caller's end.
    End kill(int line);
    End kill() { return kill(line_.get()); }

    // The status of waitpid(2), once it is gone.
    int status() const { return status_; }
    // Returns the line about a child that is not gone, without a line end. `path`: what it was
    // asked last, empty where that is not known.
    std::string left_behind(End end, const std::string& path) const;

   private:
    Fd line_;
    pid_t pid_ = -1;
    int status_ = 0;
};

// Returns "too little stack: ulimit -s is 48 KiB, 256 KiB are needed"; empty if there is enough.
std::string scarce_stack();
// Returns "too little address space: ulimit -v is 20000 KiB" for a process that ran out of memory;
// empty if its address space has no limit.
std::string scarce_space();

// "5 s", "0.2 s".
std::string seconds_text(std::int64_t ms);

}  // namespace rocenv
