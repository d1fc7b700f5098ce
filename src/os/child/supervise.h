// SPDX-License-Identifier: MIT
// Runs work that reads the machine in a forked helper, so that a kernel file that never responds
// cannot block the program. A thread does not suffice: stuck in the kernel, it prevents the exit of
// its process.
//
// The helper runs the whole command and has no descriptors of the caller. Every answer goes into
// memory shared with the caller. If an operation exceeds its limit, the caller kills the helper,
// records a timeout in that memory and starts another helper. The new helper reuses the
// known answers, so each file is read once. A helper stuck in the kernel is left behind and
// reported. One helper runs at a time.
//
// Without a timeout the cost is one fork(2), and no message per file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "os/child/shared_log.h"
#include "rocenv/fs.h"

namespace rocenv {

// The time limits of a command, in seconds.
struct Patience {
    double probe_seconds = 5;      // --timeout: for one operation
    double deadline_seconds = 20;  // --deadline: for the command; later values are unknown
};

// The output of a command; only the caller prints.
struct Output {
    int exit_code = 0;
    std::string out;  // for stdout
    std::string err;  // for stderr
    bool may_heal{};  // true if a failed check may pass at the next read
};

// Opens the machine to check; runs in the helper.
using OpenMachine = std::function<Result<std::unique_ptr<Fs>>()>;

// Reads `machine`, the machine to check, and `host`, the real one with the caller's own files. Both
// have time limits and cache answers.
using Work = std::function<Output(const Fs& machine, const Fs& host)>;

// Runs `work` in a helper. Output.err has a line for each helper that was left behind. Returns exit
// code 2 if the machine cannot be opened. Returns exit code 3 and a sentence, never a partial
// report, in these cases: no helper can start, none ends by the deadline (may_heal), the machine's
// root does not respond, or a helper dies (a bug). A helper that dies while it reads a file is
// replaced once, and that file is then an error `io`. One that dies between two reads is replaced
// once if another process, a terminal or the kernel ended it (KILL, TERM, INT, HUP, QUIT).
Output run_supervised(const Patience& patience, const OpenMachine& open_machine, const Work& work);

// Runs `read` in a helper and keeps its answers in `log`, also those of read_now(), under the keys
// of cached_fs() with the prefix "m". Ends early if no helper starts, if it dies, or at the
// deadline; the log then has the answers so far. Returns a sentence for each helper that was left
// behind, without a line end.
std::vector<std::string> fill_log(SharedLog& log, const Patience& patience,
                                  const OpenMachine& open_machine,
                                  const std::function<void(const Fs& machine)>& read);

// Calls `read` and returns its output. While that has `may_heal`, pauses for 1, 2, 4 and then 5 s
// and calls it again. The last call starts at most `seconds` after the first. From here on SIGTERM
// ends the process with status 143, also as process 1 of a container.
Output repeated_read(double seconds, const std::function<Output()>& read);

}  // namespace rocenv
