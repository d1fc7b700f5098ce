// SPDX-License-Identifier: MIT
// A line on stderr for a person at a terminal: what a command reads or waits for, and how long at
// most. It appears after a second, which many short waits may add up to, is updated once a second,
// and is erased at the end. If stderr is not a terminal, or the process is not in its foreground,
// nothing is written. The terminal itself is never waited for, so the line may be shown with the
// lock held.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "os/child/child_process.h"
#include "os/fd.h"

namespace rocenv {

bool stderr_is_terminal();

// From here on no line is shown (-q).
void tell_no_waits();

class WaitLine {
   public:
    WaitLine() { begin(); }
    // Erases the line.
    ~WaitLine();
    WaitLine(const WaitLine&) = delete;
    WaitLine& operator=(const WaitLine&) = delete;

    // Starts the second after which the line appears.
    void begin();

    // When tell() is to be called next, as by now_ms(). It may be called at any time.
    std::int64_t due_ms() const { return due_ms_; }
    // "rocenv: WHAT NAME: 4 s at most". A name that finds no room is shortened.
    void tell(const std::string& what, const std::string& name, std::int64_t until_ms);

    // One of many files: "reading NAME" until the deadline while its answer is fast, "waiting for
    // NAME" until its own time is over once it is slow.
    struct Step {
        bool writes = false;
        std::int64_t since_ms = 0;
        std::int64_t until_ms = 0;
        std::int64_t deadline_ms = 0;
    };
    void tell_step(const std::string& name, const Step& step);

   private:
    void show(const std::string& text);

    Fd terminal_;
    std::int64_t due_ms_ = 0;
};

// Channel::receive(), of which `tell` tells.
Channel::Got receive_telling(Channel& channel, std::vector<std::string>& fields,
                             std::int64_t until_ms, const WaitLine& line,
                             const std::function<void()>& tell);

}  // namespace rocenv
