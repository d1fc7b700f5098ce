// SPDX-License-Identifier: MIT
// The journal: what a node was like before the first `set`, and what has been changed since. It is
// what `reset` works from, so it is complete, literal and on disk before anything is written.
//
// Text, one record a line (transaction/journal/journal_grammar.h; grammar:
// transaction/journal/journal_grammar.cpp). A line is only ever added, until the file is replaced
// as a whole by a shorter one that says the same; it goes when nothing is left to put back. Only a
// last line without its end may be torn, as a crash leaves it, and is dropped; any other line that
// was changed after it was written is damage.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "os/state/journal_store.h"
#include "rocenv/change.h"

namespace rocenv {

// id and target: "cpu.governor", "policy0".
struct Key {
    std::string id;
    std::string target;
    friend bool operator==(const Key&, const Key&) = default;
    friend bool operator<(const Key& left, const Key& right) {
        return std::tie(left.id, left.target) < std::tie(right.id, right.target);
    }
};

// What one target held when a transaction began.
struct Recorded {
    std::string shown;
    Change back;
    std::string identity =
        {};  // of the device there (machine/identity.h); empty: none, or not known
};

// What a transaction left a target at, where that is not what it found.
struct Changed {
    std::string shown;
    std::vector<std::string> values;  // of the entry's attributes, in order
    bool wanted = false;              // false: a side effect
};

struct Transaction {
    std::size_t number = 0;     // 1 for the first in the file
    std::string time;           // ISO 8601
    std::string user;           // who called
    std::string hold;           // a job's name; empty: nobody in particular
    std::size_t announced = 0;  // entries that it was to record
    std::size_t recorded = 0;   // and has
    std::map<Key, Recorded>
        entries;  // what was found; of one that has ended, at least of what it changed
    std::map<Key, Changed> changed;     // complete when `ended`
    std::map<Key, std::string> wanted;  // of a hold: the values its owner relies on
    bool began_writing = false;
    bool ended = false;
    bool lost_lines = false;  // of a damaged journal: what it changed may not be all known
};

// A value that was left alone as someone else's.
struct Foreign {
    std::string shown;
    std::size_t begun = 0;  // transactions that there had been then: a later one found it so
};

struct Journal {
    int format = 0;  // 0: there is no first line yet
    std::string boot_id;
    std::vector<Transaction> transactions;  // those that are not undone, oldest first
    std::vector<std::string> holders;       // names that have not left, sorted
    std::map<Key, Foreign> foreign;
    std::size_t begun = 0;               // how many transactions the file has seen
    bool reset_begun = false;            // and not settled: nothing to compare present values with
    std::vector<std::size_t> resetting;  // then: the transactions that were to be undone
    bool torn = false;                   // a last line without its end was dropped
    std::size_t good_size = 0;           // bytes of whole lines
    std::size_t least_lines = 0;         // that the file has: it was written at once
    std::vector<std::string> damage;     // a sentence for each place that was changed after it was
                                         // written; then only what can still be read is here
    bool empty() const { return transactions.empty() && holders.empty(); }
};

// When a name began to hold: the time of its oldest transaction, "" where there is none.
std::string held_since(const Journal& journal, const std::string& name);

// The whole text of a store.
Result<std::string> text_of(const JournalStore& store);

// The journal of a store; an empty one where there is none. Kinds of error: garbled (no journal of
// ours), bad_input (of a newer format than this program knows), and those of JournalStore::load.
Result<Journal> read_journal(const JournalStore& store);

// What can be read of a store's journal, whoever wrote it.
Journal salvaged(const JournalStore& store);

}  // namespace rocenv
