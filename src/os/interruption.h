// SPDX-License-Identifier: MIT
// Signals that end a process, as a question: a command that writes has to put things back first.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace rocenv {

// What happens to signals other than HUP, INT, QUIT and TERM that end a process by default: ALRM,
// USR1, real-time signals and so on. Faults (SEGV, ABRT ...) keep their default. PIPE and XFSZ are
// ignored (set_inherited_aside). glibc keeps 32 and 33 for itself: these end the process.
enum class OtherSignals {
    interrupt,  // they are noted, too
    wait,       // they stay pending: for the program that is started next
};

// Notes these signals from here on; a second one changes nothing. One that the caller ignores
// (nohup) stays ignored.
void catch_interruptions(OtherSignals others);
bool interrupted();
// Returns the name of the signal that was noted first: "SIGTERM", "signal 40"; empty: none was.
std::string interruption();
// In a child that becomes another program, before these signals may arrive: gives them their
// default again, so that one that comes early ends the child instead of being lost, and takes those
// that wait out of `mask`, which the program is to have.
void take_interruptions(sigset_t& mask);
// Unblocks the noted signals in a process that has blocked all.
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

// What rocenv was started with and cannot use as it is: descriptors 0 to 2 that are closed, and
// signals whose default would end it. A program that it starts gets them as they were.

// Called before anything else. A closed descriptor 0, 1 or 2 is taken by one that can be neither
// read nor written (EBADF, as of a closed one) and that goes with execve(2), so that no file of
// ours gets that number. Broken pipes and full disks are errors of write(2), and children are
// waited for, whatever the caller had ignored.
void set_inherited_aside();

// For the program: signals as the caller gave them.
void put_inherited_back();

}  // namespace rocenv
