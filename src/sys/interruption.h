// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP as a question: a command that writes has to put things back first.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace rocenv {

// From here on these signals are only noted; a second one changes nothing.
void catch_interruptions();
bool interrupted();
// For a child that becomes another program, before these signals may arrive: they end it, as they
// end that program. Else one that comes too early would only be noted, and so be lost.
void take_interruptions();
// For whoever has all signals blocked: these may arrive again.
void allow_interruptions();

// As long as it lives a terminal stops this process neither by a key nor since it writes from
// behind; a key that was pressed meanwhile takes effect then.
class NoTerminalStops {
   public:
    NoTerminalStops();
    ~NoTerminalStops();
    NoTerminalStops(const NoTerminalStops&) = delete;
    NoTerminalStops& operator=(const NoTerminalStops&) = delete;

   private:
    sigset_t before_{};
};

// Sleeps, and lets a terminal stop this process meanwhile.
void pause_for(int ms);

// 0, or the errno of the write that failed; EINTR: whoever asked for an end waits for no reader.
int print_to(int fd, std::string_view text);

// Text for a person who waits, on stderr at once. Waits for a reader until it is interrupted.
void say(const std::string& text);
// The same for what may be left out: nothing where it would have to be waited for.
void mention(const std::string& text);

}  // namespace rocenv
