// SPDX-License-Identifier: MIT
// The journal: what a node was like before the first `set`, and what has been changed since. It is
// what `reset` works from, so it is complete, literal and on disk before anything is written.
//
// Text, one record a line (core/journal_line.h; grammar: core/journal.cpp). A line is only ever
// added, until the file is replaced as a whole by a shorter one that says the same; it goes when
// nothing is left to put back. Only a last line without its end may be torn, as a crash leaves it,
// and is dropped; any other line that is not as it was written is damage.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "rocenv/change.h"

namespace rocenv {

// Where a journal is kept: a folder of the node, or a test's memory. One writer at a time.
class JournalStore {
   public:
    JournalStore() = default;
    JournalStore(const JournalStore&) = delete;
    JournalStore& operator=(const JournalStore&) = delete;
    virtual ~JournalStore() = default;

    // Gives the whole text to `take`, piece by piece. Error not_here: there is none.
    using Take = std::function<void(std::string_view piece)>;
    virtual std::optional<Error> load(const Take& take) const = 0;
    // Adds text and returns when it is on disk, with the folder's entry (fsync of both).
    virtual std::optional<Error> append(std::string_view text) = 0;
    // Cuts a torn tail off, so that what is appended next starts a line.
    virtual std::optional<Error> cut(std::size_t size) = 0;
    // Puts another text in the place of the whole: afterwards, or after a death in between, it is
    // the one or the other.
    virtual std::optional<Error> replace(std::string_view text) = 0;
    // Removes the text and the room that was reserved.
    virtual std::optional<Error> discard() = 0;
    // Gives the text another name, under which one is kept.
    virtual std::optional<Error> set_aside() = 0;

    // Room on the disk for the way back. release() gives it up and returns whether there was any.
    virtual std::optional<Error> reserve() = 0;
    virtual bool release() = 0;

    // Whether the text may have been written before this boot: not where it is in memory only
    // (tmpfs).
    virtual bool outlives_boot() const = 0;

    // Whether somebody writes to it now, as far as those can tell who only look. Nothing: it cannot
    // be told.
    virtual std::optional<bool> in_use() const { return std::nullopt; }

    // Whether the process that brought this name is known to have died. Only names of `rocenv run
    // --tune` (is_run_hold) are a process'; a job's name holds until it leaves.
    virtual bool is_dead(const std::string& hold) const;
};

// "run/PID-RANDOM", the hold of one `rocenv run --tune`. No job can have such a name.
bool is_run_hold(std::string_view hold);

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
    std::vector<std::string> values;  // of the entry's cells, in order
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
    std::vector<std::string> damage;     // a sentence for each place that is not as it was written;
                                         // then only what can still be read is here
    bool empty() const { return transactions.empty() && holders.empty(); }
};

// When a name began to hold: the time of its oldest transaction, "" where there is none.
std::string held_since(const Journal& journal, const std::string& name);

// The whole text of a store.
Result<std::string> text_of(const JournalStore& store);

// The journal of a store; an empty one where there is none. Kinds of error: garbled (no journal of
// ours), bad_input (of a newer format than this program knows), and those of JournalStore::load.
Result<Journal> read_journal(const JournalStore& store);

}  // namespace rocenv
