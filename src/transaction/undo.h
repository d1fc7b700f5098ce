// SPDX-License-Identifier: MIT
// Making changes and taking them back. Nothing here knows a setting or the journal: changes are
// writes and the states that prove them.
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

// The values that the attributes of a change read now; an error when one of them cannot be read.
Result<std::vector<std::string>> read_values(const Fs& fs, const Change& change);

// Whether all attributes read as stated.
bool holds(const Change& change, const std::vector<std::string>& values);
bool holds_now(const Fs& fs, const Change& change);

// Keeps a note of every write that was tried.
class Writer {
   public:
    // A rehearsing one only takes the note.
    enum class Mode { write, rehearse };
    Writer(WritableFs& fs, std::vector<PlannedWrite>& log, Mode mode = Mode::write)
        : fs_(fs), log_(log), mode_(mode) {}

    WritableFs& fs() { return fs_; }
    bool rehearses() const { return mode_ == Mode::rehearse; }

    // On the way back a write that finds the disk full (of a --sysroot) is tried again if this
    // makes room.
    void on_full_disk(std::function<bool()> make_room) { make_room_ = std::move(make_room); }

    // Whether a write for the key was tried.
    bool touched(const Key& key) const;

    // All writes in order, up to the first that fails, then the proof. Nothing: it stands.
    std::optional<Error> apply(const Key& key, const Change& change);

    // The same, going on after a failure: on the way back a refusal may be about a step that is not
    // needed.
    void apply_tolerantly(const Key& key, const Change& change);

    // The first write of the last tolerant attempt that was refused; nothing: none was.
    std::optional<Error> refusal(const Key& key) const;

   private:
    std::optional<Error> write(const Key& key, const Write& write);

    WritableFs& fs_;
    std::vector<PlannedWrite>& log_;
    Mode mode_;
    std::function<bool()> make_room_;
    std::map<Key, Error> refused_;
};

struct Goal {
    Key key;
    Change change;
    bool optional = false;  // was not to be changed: only what is seen to differ is mended
};

// Drives every goal to its states, last first, in passes until nothing differs or two of them
// achieve nothing (the first may have failed by chance): so no order needs to be declared, and side
// effects of one way back on another are mended. Returns the positions of goals that were not
// reached; a rehearsal makes the first pass only and reaches all that is there.
std::vector<std::size_t> restore(Writer& writer, const std::vector<Goal>& goals);

// The way back: what transactions changed is driven to what they found.

// How one target came out.
struct Undone {
    enum class Fate {
        back,      // was put back
        was_back,  // held its baseline already
        foreign,   // somebody else changed it since, left alone
        stuck,     // could not be put back
        given_up,  // by reset --forget
    };
    Key key;
    Fate fate;
    std::string baseline;  // text forms
    std::string before;    // what it held when the undoing began
    std::string detail;
    // Of a transaction that had not even recorded all it found: more may differ than is known.
    bool unaccounted = false;
};

enum class Force { no, yes };

struct Undoing {
    std::vector<Undone> targets;  // in the registry's order
    std::optional<Error> error;   // of the journal: nothing was written, or it could not be closed
    bool clean() const;
    bool nothing_stuck() const;  // at most left alone
    bool complete() const;       // nothing is unaccounted for
};

// What goes back: these transactions but for some keys, and the names that leave with it.
struct HoldRelease {
    std::vector<std::size_t> numbers;
    std::set<Key> kept;
    std::vector<std::string> names;
    bool part = false;  // of all that is recorded: what is stuck keeps no reset open
};

// When these names leave: what was set for a job goes back with the last job, what was set for a
// run with that run; what somebody who remains wants as well stays until he leaves, and side
// effects beside it.
HoldRelease release_of(const Journal& journal, const std::vector<std::string>& names);

// Undoes: says so in the journal first, restores, notes each target that is back, and drops what is
// clean. A rehearsal (a session that touches nothing and a writer that writes nothing) goes the
// same way. A damaged journal stays as it is.
Undoing undo(JournalSession& session, Writer& writer, const Context& context,
             const HoldRelease& what, Force force);

// What the death of whoever set or reset last has left behind, and what dead holders held.
bool has_remains(const JournalSession& session);
// What undo_remains() undoes.
HoldRelease remains_of(const JournalSession& session);
Undoing undo_remains(JournalSession& session, Writer& writer, const Context& context);

// Whether a target reads what a transaction left. Attributes that fell back to what the kernel
// itself makes of them still count as ours, and what could not be read when the transaction ended
// is ours, too.
bool is_ours(const Recorded& entry, const Changed& expected,
             const std::vector<std::string>& values);

// Returns the next step about a target of this id that could not be put back.
std::string way_out(const std::string& id, const std::string& reset = "sudo rocenv reset");

// Whether the last transaction never came to its end: whoever made it died.
bool is_unfinished(const Journal& journal);

}  // namespace rocenv
