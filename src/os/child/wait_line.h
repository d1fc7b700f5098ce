// SPDX-License-Identifier: MIT
// A line on stderr for a person at a terminal: what a command waits for, and how long at most. It
// comes after a second, counts down, and is gone when the wait is over. Where stderr is no
// terminal, or the process is not in front there, nothing is written. The terminal itself is never
// waited for, so the line may be shown with the lock held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "os/child/channel.h"
#include "os/fd.h"

namespace rocenv {

bool stderr_is_terminal();

// From here on no line is shown (-q).
void tell_no_waits();

class WaitLine {
   public:
    WaitLine() { begin(); }
    ~WaitLine() { end(); }
    WaitLine(const WaitLine&) = delete;
    WaitLine& operator=(const WaitLine&) = delete;

    // A wait begins, or is over.
    void begin();
    void end();

    // When tell() is to be called next, as by now_ms(). It may be called at any time.
    std::int64_t due_ms() const { return due_ms_; }
    // "rocenv: WHAT NAME: 4 s at most". A name that finds no room is shortened.
    void tell(const std::string& what, const std::string& name, std::int64_t until_ms);

   private:
    void show(const std::string& text);

    Fd terminal_;
    std::size_t width_ = 0;  // of what is shown
    std::int64_t due_ms_ = 0;
};

// Channel::receive(), of which `tell` tells.
Channel::Got receive_telling(Channel& channel, std::vector<std::string>& fields,
                             std::int64_t until_ms, const WaitLine& line,
                             const std::function<void()>& tell);

}  // namespace rocenv
