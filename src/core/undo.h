// SPDX-License-Identifier: MIT
// The way back: what transactions changed is driven to what they found.
#pragma once

#include <string>
#include <vector>

#include "core/apply.h"
#include "core/ledger.h"

namespace rocenv {

// How one target came out.
struct Undone {
    enum class Fate {
        back,      // was put back
        was_back,  // held its baseline already
        foreign,   // somebody else changed it since, left alone
        stuck,     // could not be put back
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
    bool complete() const;  // nothing is unaccounted for
};

// Undoes the transactions with these numbers: says so in the journal first, restores, notes each
// target that is back, and drops what is clean.
Undoing undo(Ledger& ledger, Writer& writer, const Context& context,
             const std::vector<std::size_t>& transactions, Force force);

// Whether a target reads what a transaction left. Cells that fell back to what the kernel itself
// makes of them still count as ours.
bool is_ours(const Recorded& entry, const Changed& expected,
             const std::vector<std::string>& values);

// What undoing these transactions would write, without looking for strangers. Reads only.
std::vector<Goal> goals_of(const Journal& journal, const std::vector<std::size_t>& transactions,
                           const Fs& fs);

// Whether the last transaction never came to its end: whoever made it died.
bool is_unfinished(const Journal& journal);

}  // namespace rocenv
