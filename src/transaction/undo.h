// SPDX-License-Identifier: MIT
// Applies and reverts changes. This layer is independent of settings: a change consists of writes
// and of the states that prove them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transaction/journal_session.h"
#include "transaction/set.h"

namespace rocenv {

// Reads the present values of the attributes of a change, in the order of its states. Fails with
// the error of the first that cannot be read.
Result<std::vector<std::string>> read_values(const Fs& fs, const Change& change);

// Returns true if all values equal the states of the change; a state with an empty value equals
// any. false if the numbers of values and states differ.
bool holds(const Change& change, const std::vector<std::string>& values);
// Reads the attributes and returns true if all are as stated; false if one is unreadable.
bool holds_now(const Fs& fs, const Change& change);

// Frees disk space for a restore. Returns false if there is nothing to free.
using MakeRoom = std::function<bool()>;

// A writer that logs every attempted write.
class Writer {
   public:
    // Mode::rehearse only logs. `fs` and `log` must outlive the writer.
    enum class Mode { write, rehearse };
    Writer(WritableFs& fs, std::vector<PlannedWrite>& log, Mode mode = Mode::write)
        : fs_(fs), log_(log), mode_(mode) {}

    // Returns the file system that is written.
    WritableFs& fs() { return fs_; }
    // Returns whether writes are only logged.
    bool rehearses() const { return mode_ == Mode::rehearse; }

    // Returns true if a write for the key is in the log.
    bool touched(const Key& key) const;

    // Makes all writes in order, then reads the states back. Returns the first error of a write or
    // read, or `io` if a state with a value differs; std::nullopt if all match. A write is not
    // undone after an error.
    std::optional<Error> apply(const Key& key, const Change& change);

    // Makes all writes like apply(), but continues after an error: a refused step may be
    // unnecessary for a restore. Stops after a timeout. Does not read the states back. A write that
    // fails because the disk is full (under --sysroot) is retried if `make_room` returns true.
    void apply_tolerantly(const Key& key, const Change& change, const MakeRoom& make_room);

    // Returns the first error of the last tolerant attempt; std::nullopt if there was none.
    std::optional<Error> refusal(const Key& key) const;

   private:
    std::optional<Error> write(const Key& key, const Write& write);

    WritableFs& fs_;
    std::vector<PlannedWrite>& log_;
    Mode mode_;
    std::map<Key, Error> refused_;
};

// A change to reach.
struct Goal {
    Key key;
    Change change;
    bool optional = false;  // was not set: neither written nor counted if it cannot be read
};

// Applies the goals that differ, last first, in at most eight passes, until none differs or two
// passes in a row change nothing (the first may have failed by chance). No order has to be
// declared, and side effects between goals are repaired. Returns the indices of goals that were not
// reached, ascending. A rehearsal makes one pass and counts every existing target as reached.
std::vector<std::size_t> restore(Writer& writer, const std::vector<Goal>& goals,
                                 const MakeRoom& make_room = {});

// The restore of transactions: targets return to their recorded state.

// The outcome of the restore of one target.
struct Undone {
    enum class Fate {
        back,      // restored
        was_back,  // had its baseline already
        foreign,   // changed outside rocenv since, left alone
        stuck,     // could not be restored
        given_up,  // by reset --forget
    };
    Key key;
    Fate fate;
    std::string baseline;  // as text; empty: not set by rocenv, but disturbed by the restore
    std::string before;    // value at the start of the restore, or "unknown"
    std::string detail;    // reason, if stuck
    // The transaction recorded only a part of its baseline: other values may differ, too.
    bool unaccounted = false;
};

enum class Force { no, yes };

// The result of undo().
struct Undoing {
    std::vector<Undone> targets;  // in no fixed order
    std::optional<Error>
        error;  // journal error: nothing was written (no targets), or the end was not recorded
    // Returns true if no target is stuck or foreign.
    bool clean() const;
    bool nothing_stuck() const;  // no target is stuck
    bool complete() const;       // no target is unaccounted for
};

// The transactions to restore, the keys to leave alone, and the holders to release.
struct HoldRelease {
    std::vector<std::size_t> numbers;
    std::set<Key> kept;
    std::vector<std::string> names;
    bool part = false;  // a part of the records: stuck keys keep no reset open
};

// Returns the transactions to restore when `names` are released. Settings of jobs are restored with
// the last job, those of a run with that run. A value that a remaining holder relies on stays until
// it leaves, with its side effects.
HoldRelease release_of(const Journal& journal, const std::vector<std::string>& names);

// Restores the transactions: records the start in the journal, restores, records each restored
// target, and drops restored transactions. Without transactions it only releases the names. Values
// changed outside rocenv are left alone, unless forced. A rehearsal (Touch::no and Mode::rehearse)
// follows the same steps. A damaged journal is not changed.
Undoing undo(JournalSession& session, Writer& writer, const Context& context,
             const HoldRelease& what, Force force);

// Returns true if an interrupted set or reset left changes, or if dead holders exist.
bool has_remains(const JournalSession& session);
// Returns the transactions that undo_remains() restores; empty without remains.
HoldRelease remains_of(const JournalSession& session);
// Restores the changes of an interrupted set or reset, then those of dead holders. The second part
// is skipped if the first had an error, or a target that is stuck or was changed outside rocenv.
Undoing undo_remains(JournalSession& session, Writer& writer, const Context& context);

// Returns true if the values are those that a transaction left. Attributes that fell back to the
// kernel's `lost` value still count as set by rocenv. So do values that could not be read at the
// end of the transaction. false if the numbers of values and states differ.
bool is_ours(const Recorded& entry, const Changed& expected,
             const std::vector<std::string>& values);

// Returns the next step for a target of this id that could not be restored. `reset` is the command
// of reset_command_of().
std::string way_out(const std::string& id, const std::string& reset);

// Returns true if the last transaction has no end record, so its process ended early.
bool is_unfinished(const Journal& journal);

}  // namespace rocenv
