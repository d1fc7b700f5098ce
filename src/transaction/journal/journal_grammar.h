// SPDX-License-Identifier: MIT
// The lines of a journal: conversion between records and text.
//
// First format:   FIELD<tab>…<tab>SUM             SUM covers the line up to itself (32 bits)
// Second format:  SERIAL<tab>BEFORE<tab>FIELD<tab>…<tab>SUM
//
// SERIAL counts the lines after the first, BEFORE is the sum of the line above, and SUM (64 bits)
// covers the whole line. So each line can be verified by itself, and a changed, removed, duplicated
// or moved line is detected. The first line of both formats is "rocenv-journal<tab>FORMAT<tab>SUM";
// an older program stops there.
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

// The position in the chain of lines; at the beginning if the file does not exist yet.
struct Chain {
    int format = second_format;
    std::uint64_t serial = 0;
    std::string sum;  // sum of the last line; empty: no first line yet
};

// One parsed line.
struct Line {
    Record record;
    std::uint64_t serial = 0;  // second format only
    std::string before;        // second format only
    std::string sum;
};

// Returns the first line, with its line end.
std::string first_line(int format);

// Returns the record as a whole line with its line end, and advances the chain.
std::string line_of(const Record& record, Chain& chain);

// Parses a line without its line end. Returns std::nullopt if it is not a whole line of that
// format, as its sum shows. The kind of the record is not checked.
std::optional<Line> parse_line(std::string_view text, int format);

// Returns true and advances the chain if the line is the next one. Lines of the first format are
// not chained: the result is always true.
bool continues(Chain& chain, const Line& line);

// The record types of a journal (grammar: journal.cpp), and the reader that builds a Journal from
// text.

// Returns the record of the boot; `boot_id` is empty under --sysroot.
Record boot_record(const std::string& boot_id);
// Returns the record with the transaction's number, time, user, hold and `announced`.
Record begin_record(const Transaction& transaction);
// Returns the record of one target of the baseline.
Record entry_record(const Key& key, const Recorded& entry, int format);
// Returns the record of a value that a hold relies on.
Record expected_record(const Key& key, const std::string& shown);
// Returns the record of a value of a hold that could not be set.
Record unwanted_record(const Key& key);
// Returns the record that ends the baseline; targets may have been written after it.
Record writing_record();
// Returns the record of a changed target.
Record changed_record(const Key& key, const Changed& changed);
// Returns the record that ends a set.
Record end_record();
// Returns the record that releases a hold.
Record leave_record(const std::string& holder);
// Returns the record that a transaction is undone.
Record undone_record(std::size_t transaction);
// Returns the record that starts the undoing of these transactions; none: of all.
Record reset_record(const std::vector<std::size_t>& transactions = {});
// Returns the record that the key has its baseline again, or is no longer restored.
Record resolved_record(const Key& key, const std::vector<std::size_t>& transactions);
// Returns the record of a target left alone, because it was changed outside rocenv.
Record foreign_record(const Key& key, const std::string& shown);
Record rest_record();  // the reset is over; other records stay valid

// Returns true if the kind and form of the record are known to this version.
bool is_known(const Record& record, int format);

// Parses the fields of an "entry" record. Returns std::nullopt if they are invalid.
std::optional<Recorded> entry_of(const Record& fields, int format);

// Appends `more` to `records`.
void add(Records& records, Records more);

// A reader that applies records one by one to a Journal.
class RecordReader {
   public:
    // A strict reader accepts only valid records. A salvaging reader accepts every record that does
    // not contradict itself, and starts a new transaction for one whose beginning is lost.
    enum class Way { strict, salvage };
    explicit RecordReader(Way way) : way_(way) {}

    Journal journal;

    // Applies a record, which has at least its kind. Returns false if it is not valid.
    // `journal.format` must be set.
    bool take(const Record& record);
    // Notes that lines of a damaged journal are missing here.
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
    void resolve(const Key& key, const Record& numbers);
    bool take_about_transactions(const Record& record);

    Way way_;
    bool gap_ = false;  // since the last transaction began to write
};

// A parser of a journal's text in pieces, which can also append lines.
class JournalText {
   public:
    // Parses one piece of text. Text after an error or damage is ignored.
    void feed(std::string_view piece);
    // Ends the text after the last piece, and drops a line without its end. Fails with `bad_input`
    // for another format or an unknown record. Damage is in journal().damage and is not an error.
    std::optional<Error> finish();
    // Returns true if a newer program wrote the text: it names a newer format, or an intact text
    // has an unknown record.
    bool is_newer() const { return newer_; }

    // Returns the state after the lines that were fed.
    const Journal& journal() const { return reader_.journal; }
    // Returns the lines that continue the text. They count as fed. If the text is empty, a head
    // with `format` and `boot_id` comes first. Requires a text without damage.
    std::string add(const Records& records, const std::string& boot_id, int format);

   private:
    void take_line(std::string_view text);
    void take_first(std::string_view text);
    void note_newer(const std::string& what);

    RecordReader reader_{RecordReader::Way::strict};
    Chain chain_;
    std::string rest_;  // an incomplete line
    std::size_t lines_ = 0;
    std::optional<Error> error_;
    bool newer_ = false;
};

// Returns the readable part of a damaged text: all lines that are whole, in order, each once. The
// first line is not checked. `damage` has the first five faults and the number of the others.
Journal salvage(std::string_view text);

// Returns the same state in as few records as possible: only changed targets, with transactions of
// one owner merged. Requires a journal without an open set or reset.
Records compact_records(const Journal& journal, int format);

// The same state, in which selected keys have transactions of their own that can be undone alone.
struct SetApart {
    Records records;
    std::vector<std::size_t>
        numbers;  // numbers of those transactions, ascending; empty: no such key is recorded
};
using Picks = std::function<bool(const Key&)>;
// Returns such records in `format`. `picks` returns true for the selected keys. Requires a journal
// without holders and without an open set or reset.
SetApart set_apart(const Journal& journal, int format, const Picks& picks);

}  // namespace rocenv
