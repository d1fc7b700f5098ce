// SPDX-License-Identifier: MIT
// Lines of a journal: how a record becomes text and comes back.
//
// First format:   FIELD<tab>…<tab>SUM             SUM covers the line up to itself (32 bits)
// Second format:  SERIAL<tab>BEFORE<tab>FIELD<tab>…<tab>SUM
//
// SERIAL counts the lines after the first, BEFORE is the sum of the line above, SUM (64 bits)
// covers all of it. So a line can be trusted by itself, and one that was changed, removed, doubled
// or moved is seen. The first line of either is "rocenv-journal<tab>FORMAT<tab>SUM", by which an
// older program knows that it must not read on.
//
// Fields are escaped: \\ for a backslash, \xHH for control bytes and everything beyond ASCII.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transaction/journal/journal.h"

namespace rocenv {

using Record = std::vector<std::string>;  // a kind and its fields
using Records = std::vector<Record>;

constexpr int first_format = 1;
constexpr int second_format = 2;

// Where a file's chain of lines stands; of a file that is not there yet, at its beginning.
struct Chain {
    int format = second_format;
    std::uint64_t serial = 0;
    std::string sum;  // of the last line; empty: there is no first line yet
};

struct Line {
    Record record;
    std::uint64_t serial = 0;  // second format only
    std::string before;        // likewise
    std::string sum;
};

// The first line, with its end.
std::string first_line(int format);

// The record as a whole line, with its end, that continues the chain, which moves on.
std::string line_of(const Record& record, Chain& chain);

// Returns nothing where the text (without its end) is not a whole line of that format.
std::optional<Line> parse_line(std::string_view text, int format);

// Whether the line is the next one of the chain, which then moves on. Lines of the first format are
// not chained.
bool continues(Chain& chain, const Line& line);

// The records of a journal (grammar: journal.cpp), and the reader that makes a Journal
// of its text.

Record boot_record(const std::string& boot_id);
// The transaction's number, time, user, hold and `announced`.
Record begin_record(const Transaction& transaction);
Record entry_record(const Key& key, const Recorded& entry, int format);
Record wanted_record(const Key& key, const std::string& shown);
Record unwanted_record(const Key& key);
// The baseline is complete: what follows may have been written.
Record writing_record();
Record changed_record(const Key& key, const Changed& changed);
Record end_record();
Record leave_record(const std::string& holder);
Record undone_record(std::size_t transaction);
// Undoing these begins; none: all there are.
Record reset_record(const std::vector<std::size_t>& transactions = {});
// The key is at its baseline again, or no longer ours to put back.
Record settled_record(const Key& key, const std::vector<std::size_t>& transactions);
Record foreign_record(const Key& key, const std::string& shown);
Record rest_record();  // the reset is over; what is left in the journal stays

// Whether the record is of a kind and a form that this program writes.
bool is_known(const Record& record, int format);

// Of the fields of an "entry" record; nothing where they make no sense.
std::optional<Recorded> entry_of(const Record& fields, int format);

void add(Records& records, Records more);

// Takes records one by one and keeps what they say.
class RecordReader {
   public:
    // Strict readers take a record only where it makes sense. A salvaging one takes every record
    // that does not contradict itself, for one whose beginning is lost it begins a transaction of
    // its own.
    enum class Way { strict, salvage };
    explicit RecordReader(Way way) : way_(way) {}

    Journal journal;

    // False where it makes no sense.
    bool take(const Record& record);
    // Of a damaged journal: lines are missing here.
    void note_gap();

   private:
    bool begin(const Record& record);
    bool begin_reset(const Record& record);
    Transaction* transaction_of(const Record& record);
    bool take_part(const Record& record);
    bool take_entry(const Record& record, Transaction& transaction);
    bool take_changed(const Record& record, Transaction& transaction);
    bool begin_writing(Transaction& transaction);
    bool end();
    void settle(const Key& key, const Record& numbers);
    bool take_about_transactions(const Record& record);

    Way way_;
    bool gap_ = false;  // since the last transaction began to write
};

// Reads a journal's text, in pieces, and continues it.
class JournalText {
   public:
    void feed(std::string_view piece);
    // After the last piece. Kinds of error: garbled, bad_input.
    std::optional<Error> finish();
    // The error is that a newer program wrote it: it names a newer format, or, with all before it
    // as it was written, holds a record that this program does not know.
    bool is_newer() const { return newer_; }

    const Journal& journal() const { return reader_.journal; }
    // Lines that continue the text, with its head where there is none yet. They count as fed.
    std::string add(const Records& records, const std::string& boot_id, int format);

   private:
    void take_line(std::string_view text);
    void take_first(std::string_view text);
    void note_newer(const std::string& what);

    RecordReader reader_{RecordReader::Way::strict};
    Chain chain_;
    std::string rest_;  // of a line
    std::size_t lines_ = 0;
    std::optional<Error> error_;
    bool newer_ = false;
};

// What a damaged text still says: all lines that are whole in themselves, in their order, each
// once.
Journal salvage(std::string_view text);

// The same state in as few records as it takes: only what transactions changed, and those that
// nobody tells apart any more as one. Not for a journal in which something is unfinished.
Records compact_records(const Journal& journal, int format);

// The same once more, but that keys which `picks` takes are changed by transactions that change
// nothing else: these can be undone alone. For a journal that nobody holds and in which nothing is
// unfinished.
struct SetApart {
    Records records;
    std::vector<std::size_t> numbers;  // of those transactions; none: no such key is recorded
};
using Picks = std::function<bool(const Key&)>;
SetApart set_apart(const Journal& journal, int format, const Picks& picks);

}  // namespace rocenv
