// SPDX-License-Identifier: MIT
// Runs a piece of work that reads the machine in a forked helper, so that a kernel file that never
// answers cannot keep the program from ending. A thread will not do: stuck in the kernel it keeps
// its whole process from ending.
//
// The helper runs the whole command body and holds none of the caller's descriptors. Every answer
// of the machine goes into memory shared with the caller. When one operation takes longer than it
// may, the caller kills the helper, writes "did not answer" into that memory, and starts another
// one, which takes what is already known from there: nothing is read twice. A helper that cannot be
// killed (it sits in the kernel) is left behind and named. One helper runs at a time.
//
// Cost when nothing hangs: one fork(2), and no message per file.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rocenv/fs.h"

namespace rocenv {

struct Patience {
    double probe_seconds = 5;      // --timeout: one operation
    double deadline_seconds = 20;  // --deadline: the whole command; then everything else is unknown
};

// What a command leaves behind for its caller: nobody else prints.
struct Output {
    int exit_code = 0;
    std::string out;  // for stdout
    std::string err;  // for stderr
    bool may_heal{};  // of a check that did not pass: the next read may have another status
};

// Opens the machine to look at; called in the helper.
using OpenMachine = std::function<Result<std::unique_ptr<Fs>>()>;

// `machine` is what is being looked at, `host` the real machine (for the caller's own files); both
// answer in time and remember what they answered.
using Work = std::function<Output(const Fs& machine, const Fs& host)>;

// Runs `work` in a helper. Output.err gains a line for each helper that had to be left behind.
// A machine that cannot be opened gives exit code 2. A helper that dies (a bug) gives exit code 3
// and a sentence, never a partial report.
Output run_supervised(const Patience& patience, const OpenMachine& open_machine, const Work& work);

// Calls `read` and returns its output. While that says `may_heal`, pauses for 1, 2, 4 and then 5 s
// and calls it again. The last call starts `seconds` after the first at the latest. From here on
// SIGTERM ends the process with 143, also as process 1 of a container.
Output repeated_read(double seconds, const std::function<Output()>& read);

}  // namespace rocenv
