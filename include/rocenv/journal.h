// SPDX-License-Identifier: MIT
// The journal: what a node was like before the first `set`, and what has been changed since. It is
// what `reset` works from, so it is complete, literal and on disk before anything is written.
//
// Text, one record a line, fields separated by tabs and escaped (\t \n \\ \xHH), each line closed
// by a check sum. A last line that is torn is dropped. Records are only ever added; the file goes
// when nothing is left to put back. Grammar: src/core/journal.cpp.
#pragma once

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

    // The whole text; not_here: there is none.
    virtual Result<std::string> load() const = 0;
    // Adds text and returns when it is on disk, with the folder's entry (fsync of both).
    virtual std::optional<Error> append(std::string_view text) = 0;
    // Cuts a torn tail off, so that what is appended next starts a line.
    virtual std::optional<Error> cut(std::size_t size) = 0;
    virtual std::optional<Error> discard() = 0;

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
};

// What a transaction left a target at, where that is not what it found.
struct Changed {
    std::string shown;
    std::vector<std::string> values;  // of the entry's cells, in order
    bool wanted = false;              // false: a side effect
};

struct Transaction {
    std::size_t number = 0;             // 1 for the first in the file
    std::string time;                   // ISO 8601
    std::string user;                   // who called
    std::string hold;                   // a job's name; empty: nobody in particular
    std::size_t announced = 0;          // entries that it was to record
    std::size_t recorded = 0;           // and has
    std::map<Key, Recorded> entries;    // what was found, with those known from earlier ones
    std::map<Key, Changed> changed;     // complete when `ended`
    std::map<Key, std::string> wanted;  // of a hold: the values its owner relies on
    bool began_writing = false;
    bool ended = false;
};

// A value that was left alone as someone else's.
struct Foreign {
    std::string shown;
    std::size_t begun = 0;  // transactions that there had been then: a later one found it so
};

struct Journal {
    std::string boot_id;
    std::vector<Transaction> transactions;  // those that are not undone, oldest first
    std::vector<std::string> holders;       // names that have not left, sorted
    std::map<Key, Foreign> foreign;
    std::size_t begun = 0;               // how many transactions the file has seen
    bool reset_begun = false;            // and not settled: nothing to compare present values with
    std::vector<std::size_t> resetting;  // then: the transactions that were to be undone
    bool cut = false;                    // a torn or damaged tail was dropped
    std::size_t good_size = 0;           // bytes of whole records
    bool empty() const { return transactions.empty() && holders.empty(); }
};

// Kinds of error: garbled (no journal of ours, or its first line is damaged), bad_input (of a newer
// format than this program knows).
Result<Journal> parse_journal(std::string_view text);

}  // namespace rocenv
