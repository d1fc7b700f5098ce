// SPDX-License-Identifier: MIT
// rocenv set, reset and status: one transaction over all settings of a profile, and its rollback.
//
// After a refused write, a crash at any time, a second set or a newer rocenv, reset restores the
// values from before the first set, or names each item that it could not restore.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "rocenv/report.h"
#include "rocenv/setting.h"
#include "transaction/journal/journal.h"

namespace rocenv {

struct Evaluation;  // check/evaluate.h

// The user that runs the command, and callbacks for signals (SIGINT, SIGTERM, SIGHUP) and time
// limits.
struct Caller {
    std::string user;
    std::function<bool()> interrupted = [] { return false; };
    // Returns true if the time limit for writing new values has passed.
    std::function<bool()> timed_out = [] { return false; };
    // Called before a rollback; extends the time limit.
    std::function<void()> more_time = [] {};
};

// The parameters of a set.
struct SetRequest {
    CheckRequest check;              // profiles, values and filters
    std::vector<std::string> allow;  // ids or globs for which unsafe does not refuse
    std::string gpus;                // argument of --gpu (transaction/part_of_node.h)
    bool whole_node = false;         // ignore the default part of a job that hides GPUs
    std::string hold;                // name of the job that holds the settings; empty: none
    std::string state;               // folder of --state; empty: the default folder
    bool dry_run = false;
};

// The parameters of a reset.
struct ResetRequest {
    std::string hold;               // release only this name; empty: restore everything
    std::vector<std::string> keep;  // ids or globs: accept the present value, discard the record
    std::vector<std::string> only;  // ids or globs to restore; none: all
    std::vector<std::string> skip;  // ids or globs to leave alone
    bool force = false;             // ignore holders, and overwrite values changed outside rocenv
    bool forget = false;            // print the records and discard them
    bool to_defaults = false;       // write kernel defaults, for a node without records
    bool dry_run = false;
    std::string root = "/";
    std::string state;  // folder of --state; empty: the default folder
};

// Returns the reset command for the same machine and journal, such as "sudo rocenv reset --force".
// `options` is empty or begins with a blank; `root` "/" and an empty `state` add nothing.
std::string reset_command_of(const std::string& root, const std::string& state,
                             const std::string& options);

// One write that a set or reset made or would make.
struct PlannedWrite {
    Key key;
    Write write;
};

// The first words of the note of a reset without records.
inline constexpr std::string_view no_record_note = "rocenv has set nothing on this node";
// The same note for a reset of a part of the settings.
inline constexpr std::string_view no_part_note = "rocenv has set none of these";

// First words of the note that names the environment variables of the profiles.
inline constexpr std::string_view variables_note = "variables belong to the job's environment";

// The result of a set or reset. `report` has command "set" or "reset" and the exit code. Its
// findings have the outcome `changed` where a value was written and read back.
struct SetResult {
    Report report;
    std::vector<std::string> errors;    // one line each: bad usage, the reason of a failure, values
                                        // not restored; the exit code says what was written
    std::vector<std::string> warnings;  // one line each, for stderr
    std::vector<PlannedWrite>
        writes;        // in order of writing; of a dry run: those that a set would make
    std::string undo;  // command that restores the changes; empty: none
};

// Sets the machine to the requested profiles in one transaction: either all required settings
// succeed, or the former state is restored. The former state is recorded in `store` before the
// first write. Changes of an interrupted set or reset, and of ended runs, are restored first.
// Settings of level info are not set. A recommended setting that fails is restored alone, unless it
// timed out: then all are restored.
// The exit code is one of util/exit_status.h.
SetResult set(const SetRequest& request, WritableFs& machine, const Fs& host,
              const Process& process, JournalStore& store, const Caller& caller);

// A function that evaluates the settings, by profiles or by the kernel's defaults.
using Judgement = std::function<Evaluation(const Context&)>;
// Sets like set(), with the settings that `judgement` returns.
SetResult set_judged(const SetRequest& request, const Judgement& judgement, WritableFs& machine,
                     const Process& process, JournalStore& store, const Caller& caller);

// Restores the values recorded in `store`: all of them, those that only one holder relied on, or
// the picked settings. A reset without a name is refused with exit_differs while a holder lives,
// unless it is for all and `force` is set; only changes of an interrupted command or an ended run
// are then restored. A value that cannot be restored is reported with its present value and stays
// recorded.
SetResult reset(const ResetRequest& request, WritableFs& machine, const Process& process,
                JournalStore& store, const Caller& caller);

// One changed target.
struct StatusItem {
    Key key;
    std::vector<std::string> paths;
    std::string baseline;  // as text
    std::string set;
    std::string present;  // "unknown" if the read fails
    // "rocenv", "side effect", "baseline" (restored), "someone else", "another device" (replaced
    // since the set), "unknown"
    std::string by;
    std::string since;  // time of the first set, ISO 8601
    std::string user;   // user of the first set
    std::string hold;   // names of the holders, comma-separated; empty: none
};

// The result of `rocenv status`.
struct Status {
    std::vector<StatusItem> items;  // sorted by id and target; those of an unfinished set follow
    std::vector<std::string> holders;
    std::map<std::string, std::string> held_since;  // by holder; ISO 8601
    std::vector<std::string> dead;                  // holders whose rocenv run --tune was killed
    std::string open;                     // a sentence if a set or reset runs or did not finish
    std::vector<std::string> notes;       // one line each
    std::string time;                     // time of the reading, ISO 8601
    std::vector<std::string> undo;        // restore commands, each a command or "If ...: command"
    std::optional<std::size_t> left_out;  // settings outside part_of(); std::nullopt: no filter
    std::optional<Error> unreadable;      // set: no item is known
    int exit_code = 0;  // 0: no records, 1: settings active, 5: changed since, 3: unreadable
};

// Returns the part of a status that these ids or globs pick; without any, or for an unreadable
// status, the whole. Holders and an open set or reset stay. The exit code depends only on the
// picked settings and an open set or reset.
Status part_of(Status status, const std::vector<std::string>& only,
               const std::vector<std::string>& skip);

// Reads the journal and the present values. Reads both up to five times if the journal changes
// meanwhile; if it still does, `open` says that a set or reset is running. A damaged journal and
// one of another boot are `unreadable`.
Status read_status(const Fs& machine, const Process& process, const JournalStore& store);

}  // namespace rocenv
