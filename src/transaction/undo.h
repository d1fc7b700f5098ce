// SPDX-License-Identifier: MIT
// The way back: what transactions changed is driven to what they found.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "transaction/change_executor.h"
#include "transaction/journal_session.h"

namespace rocenv {

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
