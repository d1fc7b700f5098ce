// SPDX-License-Identifier: MIT
// A status line on stderr for a person at a terminal: the current read or wait, and its time limit.
// It appears after one second, which many short waits may add up to, is updated each second, and is
// erased at the end. It is not written if stderr is not a terminal or the process is in the
// background. Writes never block on the terminal, so the line may be shown with the lock held.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "os/child/child_process.h"
#include "os/fd.h"

namespace rocenv {

// Returns true if stderr is a terminal.
bool stderr_is_terminal();

// Disables the line from here on (-q).
void disable_wait_line();

// One status line.
class WaitLine {
   public:
    WaitLine() { begin(); }
    // Erases the line.
    ~WaitLine();
    WaitLine(const WaitLine&) = delete;
    WaitLine& operator=(const WaitLine&) = delete;

    // Starts the second after which the line appears.
    void begin();

    // Returns the time of the next update, on the clock of now_ms(). `show_wait()` may be called at
    // any time.
    std::int64_t due_ms() const { return due_ms_; }
    // Shows "rocenv: WHAT NAME: 4 s at most" if the line is due; does nothing before due_ms().
    // `until_ms` is on the clock of now_ms(). A long name is shortened.
    void show_wait(const std::string& what, const std::string& name, std::int64_t until_ms);

    // One of many files. The line shows "reading NAME" with the deadline while the answer is fast,
    // and "waiting for NAME" with the limit of the file when it is slow.
    struct Step {
        bool writes = false;
        std::int64_t since_ms = 0;
        std::int64_t until_ms = 0;
        std::int64_t deadline_ms = 0;
    };
    // Shows the line of one file like show_wait(); a file is slow after 500 ms.
    void show_step(const std::string& name, const Step& step);

   private:
    void show(const std::string& text);

    Fd terminal_;
    std::int64_t due_ms_ = 0;
};

// Receives a message like Channel::receive() until `until_ms`, which must not be 0, and calls
// `show_wait` when the line is due.
Channel::Got receive_showing(Channel& channel, std::vector<std::string>& fields,
                             std::int64_t until_ms, const WaitLine& line,
                             const std::function<void()>& show_wait);

}  // namespace rocenv
