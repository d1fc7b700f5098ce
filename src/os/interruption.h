// SPDX-License-Identifier: MIT
// Signals that end a process, as a flag: a writing command has to roll back first.
#pragma once

#include <csignal>
#include <string>
#include <string_view>

namespace rocenv {

// The handling of signals other than HUP, INT, QUIT and TERM that end a process by default: ALRM,
// USR1, real-time signals and others. Faults (SEGV, ABRT ...) keep their default. PIPE and XFSZ are
// ignored (set_inherited_aside). Signals 32 and 33 are reserved by glibc and end the process.
enum class OtherSignals {
    interrupt,  // noted as well
    wait,       // left pending for the program that is started next
};

// Notes HUP, INT, QUIT and TERM from here on, and treats the other signals as `others` states; only
// the first noted signal counts. A signal that the caller ignores (nohup) stays ignored.
void catch_interruptions(OtherSignals others);
// Returns true if a signal was noted.
bool interrupted();
// Returns the name of the first noted signal, "SIGTERM" or "signal 40"; empty if there was none.
std::string interruption();
// Ignores HUP, INT and TERM in a helper: a terminal sends them to the whole group, and only the
// caller reacts.
void ignore_interruptions();
// Restores the default of the noted signals in a child that becomes another program, so that an
// early signal ends the child instead of being lost. Other signals that the caller did not block
// are removed from `mask`, the later mask of the program.
void take_interruptions(sigset_t& mask);
// Unblocks HUP, INT, QUIT and TERM in a process that has blocked all signals.
void allow_interruptions();

// A guard: during its life a terminal cannot stop this process, neither by a key nor by a write
// from the background. A pressed key takes effect afterwards.
class NoTerminalStops {
   public:
    NoTerminalStops();
    ~NoTerminalStops();
    NoTerminalStops(const NoTerminalStops&) = delete;
    NoTerminalStops& operator=(const NoTerminalStops&) = delete;

   private:
    sigset_t before_{};
};

// Sleeps for `ms` milliseconds, or until a signal is handled. A terminal may stop this process
// meanwhile.
void pause_for(int ms);

// Writes text to `fd` as it is, and waits as long as the write would block. Returns 0 or the errno
// of the failed write; `EINTR` if a signal was noted.
int print_to(int fd, std::string_view text);

// Writes text to stderr at once, without credentials; control characters other than line ends and
// styles are escaped. Waits for a reader until a signal is noted. Errors are ignored.
void say(const std::string& text);
// Writes text like say(), but drops it if the write would block.
void mention(const std::string& text);

// The inherited state that rocenv cannot use: closed descriptors 0 to 2, and signals whose default
// would end it. A program started by rocenv gets them unchanged.

// Prepares descriptors and signals; called first. A closed descriptor 0, 1 or 2 is replaced by one
// that can neither be read nor written (EBADF, as for a closed one) and that closes at execve(2).
// So no file of rocenv gets that number. Broken pipes and full disks become errors of write(2), and
// children are waited for, even if the caller ignored the signals.
void set_inherited_aside();

// Restores the caller's signals, for the started program. Does nothing before
// set_inherited_aside().
void put_inherited_back();

}  // namespace rocenv
