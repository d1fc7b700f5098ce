// SPDX-License-Identifier: MIT
// rocenv set, reset and status: one transaction over everything a profile wants, and the way back.
//
// Whatever happens (a refused write, death at any instant, a second set, a newer program), reset
// brings back what was there before the first set, or names each item it could not put back.
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

// Who asks, and how to find out that he wants it to end (SIGINT, SIGTERM, SIGHUP).
struct Caller {
    std::string user;
    std::function<bool()> interrupted = [] { return false; };
    // Whether the time for the way forward is over.
    std::function<bool()> timed_out = [] { return false; };
    // Called before everything is put back: time for that, though the command's may be over.
    std::function<void()> more_time = [] {};
};

struct SetRequest {
    CheckRequest check;              // profiles, wants, filters
    std::vector<std::string> allow;  // ids or globs for which unsafe does not refuse
    std::string gpus;                // of --gpu (transaction/part_of_node.h)
    bool whole_node = false;         // the default part of a job that hides GPUs does not hold
    std::string hold;                // a job's name, empty: none
    std::string state;               // the folder of --state, empty: the usual one
    bool dry_run = false;
};

struct ResetRequest {
    std::string hold;               // only this name leaves; empty: everything goes back
    std::vector<std::string> keep;  // ids or globs: accept the present value, forget the old one
    std::vector<std::string> only;  // ids or globs: what goes back; none: everything
    std::vector<std::string> skip;  // ids or globs: all but these
    bool force = false;             // though names are held, and over values somebody else changed
    bool forget = false;            // gives up what is recorded and prints it
    bool to_defaults = false;       // for a node nobody recorded
    bool dry_run = false;
    std::string root = "/";
    std::string state;  // the folder of --state, empty: the usual one
};

// Returns the command of a reset of the same machine and journal: "sudo rocenv reset --force".
std::string reset_command_of(const std::string& root, const std::string& state,
                             const std::string& options);

struct PlannedWrite {
    Key key;
    Write write;
};

// Of set and reset. `report` has command "set" or "reset" and its exit code; its findings have
// outcome changed where something was written and read back.
// The note of a reset without records.
inline constexpr std::string_view no_record_note = "rocenv has set nothing on this node";
// The same of the part of the settings that was asked for.
inline constexpr std::string_view no_part_note = "rocenv has set none of these";

// How the note of a set begins that names the variables of its profiles.
inline constexpr std::string_view variables_note = "variables belong to the job's environment";

struct SetResult {
    Report report;
    std::vector<std::string> errors;    // bad usage or profile: 2, nothing was written
    std::vector<std::string> warnings;  // one line each, for stderr
    std::vector<PlannedWrite> writes;   // made, in order; of a dry run those a set would make
    std::string undo;                   // the command that restores what was changed; empty: none
};

// Brings the machine to the profiles asked for as one transaction: all of what is required, or the
// state before. Recorded in `store` before the first write; the exit code is one of
// util/exit_status.h.
SetResult set(const SetRequest& request, WritableFs& machine, const Fs& host,
              const Process& process, JournalStore& store, const Caller& caller);

// How a set finds its settings and judges them: by profiles, or by the kernel's own defaults.
using Judgement = std::function<Evaluation(const Context&)>;
SetResult set_judged(const SetRequest& request, const Judgement& judgement, WritableFs& machine,
                     const Process& process, JournalStore& store, const Caller& caller);

// Puts back what is recorded in `store`: all of it, what one holder alone relied on, or of what
// nobody holds the settings that were picked. What cannot be put back is named with its present
// value, and stays recorded.
SetResult reset(const ResetRequest& request, WritableFs& machine, const Process& process,
                JournalStore& store, const Caller& caller);

struct StatusItem {
    Key key;
    std::vector<std::string> paths;
    std::string baseline;  // text forms
    std::string set;
    std::string present;  // "unknown" where it cannot be read
    // "rocenv", "side effect", "baseline" (is back), "someone else", "another device" (was put
    // where the one was that was set), "unknown"
    std::string by;
    std::string since;  // ISO 8601, when it was set first
    std::string user;   // who set it first
    std::string hold;   // names that hold it, by comma; empty: none
};

struct Status {
    std::vector<StatusItem> items;  // sorted by id and target
    std::vector<std::string> holders;
    std::map<std::string, std::string> held_since;  // of the holders: ISO 8601
    std::vector<std::string> dead;  // of the holders: their rocenv run --tune was killed
    std::string open;  // a sentence where a set or reset is at work, or did not finish;
                       // then values are in motion
    std::vector<std::string> notes;       // one line each
    std::string time;                     // of the reading, ISO 8601
    std::vector<std::string> undo;        // what restores it, a command or "If ...: command" each
    std::optional<std::size_t> left_out;  // settings that part_of() left out; nothing: the whole
    std::optional<Error> unreadable;
    int exit_code = 0;  // 0 nothing recorded, 1 something is set, 5 changed since, 3 unreadable
};

// The part of it that these ids or globs pick; without any it is the whole. Who holds the node and
// what goes on there stays, but for the exit code only what was picked counts, and a set or reset
// that is open.
Status part_of(Status status, const std::vector<std::string>& only,
               const std::vector<std::string>& skip);

// What the journal says and the machine holds. Reads both again while they change under it.
Status read_status(const Fs& machine, const Process& process, const JournalStore& store);

}  // namespace rocenv
