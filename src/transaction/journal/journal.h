// SPDX-License-Identifier: MIT
// The journal: the state of a node before the first `set`, and the changes since. `reset` works
// from it, so it is complete, literal and on disk before anything is written.
//
// The file is text with one record per line (journal_grammar.h; grammar:
// transaction/journal/journal.cpp). Lines are only appended, until a shorter equivalent file
// replaces it as a whole. The file is removed when no change is left to restore. Only a last line
// without its end may be torn by a crash, and is dropped. Any other line that was changed after it
// was written is damage.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "os/state/journal_store.h"
#include "rocenv/change.h"

namespace rocenv {

// The id of a setting and a target: "cpu.governor", "policy0".
struct Key {
    std::string id;
    std::string target;
    friend bool operator==(const Key&, const Key&) = default;
    friend bool operator<(const Key& left, const Key& right) {
        return std::tie(left.id, left.target) < std::tie(right.id, right.target);
    }
};

// The state of one target at the begin of a transaction.
struct Recorded {
    std::string shown;  // value as text
    Change back;        // restores it
    std::string identity =
        {};  // identity of the device (machine/identity.h); empty: none or unknown
};

// The state of a changed target at the end of a transaction.
struct Changed {
    std::string shown;
    std::vector<std::string> values;  // one for each attribute of the entry, in order
    bool requested = false;           // true: a requested value; false: a side effect
};

// One set.
struct Transaction {
    std::size_t number = 0;               // 1 for the first in the file
    std::string time;                     // ISO 8601
    std::string user;                     // caller
    std::string hold;                     // name of the job; empty: none
    std::size_t announced = 0;            // number of entries to record
    std::size_t recorded = 0;             // number of entries recorded
    std::map<Key, Recorded> entries;      // baseline; after the end at least of the changed targets
    std::map<Key, Changed> changed;       // complete when `ended`
    std::map<Key, std::string> expected;  // values that the holder relies on
    bool began_writing = false;
    bool ended = false;
    bool lost_lines = false;  // in a damaged journal: some changes may be unknown
};

// A value that was left alone because it was changed outside rocenv.
struct Foreign {
    std::string shown;
    std::size_t begun = 0;  // number of transactions at that time; later ones found this value
};

// The content of a journal.
struct Journal {
    int format = 0;  // 0: no first line yet
    std::string boot_id;
    std::vector<Transaction> transactions;  // not undone, oldest first
    std::vector<std::string> holders;       // names with a hold, sorted
    std::map<Key, Foreign> foreign;
    std::size_t begun = 0;               // number of transactions ever begun in the file
    bool reset_begun = false;            // a reset is open, so present values are not comparable
    std::vector<std::size_t> resetting;  // transactions of the open reset
    bool torn = false;                   // a last line without its end was dropped
    std::size_t good_size = 0;           // size of the complete lines in bytes
    std::size_t least_lines = 0;         // minimum that a file written at once must have
    // Damaged lines, a few words each, the first few only; the rest is then the readable part.
    std::vector<std::string> damage;
    // Returns whether the journal has neither transactions nor holds.
    bool empty() const { return transactions.empty() && holders.empty(); }
};

// Returns the time of the oldest transaction of a hold, or "" if there is none.
std::string held_since(const Journal& journal, const std::string& name);

// Reads the whole text of a store. Errors are those of JournalStore::load.
Result<std::string> text_of(const JournalStore& store);

// Reads the journal of a store; returns an empty journal if there is none. A damaged text, or one
// that is not a rocenv journal, gives its readable part with `damage`. Fails with `bad_input` if a
// newer program wrote the text, or if its format is unknown and no record can be read; or with the
// errors of JournalStore::load.
Result<Journal> read_journal(const JournalStore& store);

// Returns the readable part of a store's journal of any version. Errors of the store are ignored.
// `damage` is empty if no line is damaged.
Journal salvaged(const JournalStore& store);

}  // namespace rocenv
