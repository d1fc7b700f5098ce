// SPDX-License-Identifier: MIT
// Grammar: each record is a kind and its fields.
//
//   boot ID                                  of the boot it was begun in; empty under --sysroot
//   whole LINES                              the file was written at once and has at least as many
//   begin NUMBER TIME USER HOLD ENTRIES      a set
//   entry ID TARGET SHOWN [IDENTITY] STATES {CODEC PATH OFFSET VALUE LOST}… {PATH OFFSET BYTES}…
//   wanted ID TARGET SHOWN                   of a hold
//   writing                                  all of its entries are above
//   changed ID TARGET SHOWN yes|no VALUE…    yes: requested, no: a side effect; no VALUE: unread
//   unwanted ID TARGET                       a value of a hold that could not be set
//   end                                      of the set
//   leave HOLD
//   undone NUMBER
//   reset NUMBER…                            these may have been put back; none: all of them
//   settled ID TARGET NUMBER…                of these: restored, or accepted by --keep
//   foreign ID TARGET SHOWN                  left alone: changed outside rocenv
//   rest                                     the reset is over
//
// OFFSET is empty for the file as a whole. In the first format an entry has no IDENTITY, and a
// transaction records only entries that differ from what the one before it recorded; in the second
// each records all that it found.
//
// A new kind or field raises the format. Programs from before 2026-11-23 report such a line as
// damage, later ones report a newer program.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "transaction/journal/journal_grammar.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t state_fields = 5;
constexpr std::size_t write_fields = 3;

std::string offset_text(const std::optional<std::uint64_t>& offset) {
    return offset ? number(*offset) : "";
}

std::optional<AttributeState> state_of(const Record& fields, std::size_t at) {
    const auto codec = value_of<Codec>(fields[at]);
    const auto offset = parse_number(fields[at + 2]);
    if (!codec || !offset) {
        return std::nullopt;
    }
    return AttributeState{{fields[at + 1], *codec, *offset}, fields[at + 3], fields[at + 4]};
}

std::optional<Write> write_of(const Record& fields, std::size_t at) {
    Write write{fields[at], std::nullopt, fields[at + 2]};
    if (!fields[at + 1].empty()) {
        write.offset = parse_number(fields[at + 1]);
        if (!write.offset) {
            return std::nullopt;
        }
    }
    return write;
}

std::optional<Change> change_of(const Record& fields, std::size_t at, std::uint64_t states) {
    Change change;
    for (std::uint64_t count = 0; count < states; ++count, at += state_fields) {
        auto state = at + state_fields <= fields.size() ? state_of(fields, at) : std::nullopt;
        if (!state) {
            return std::nullopt;
        }
        change.states.push_back(*std::move(state));
    }
    for (; at + write_fields <= fields.size(); at += write_fields) {
        auto write = write_of(fields, at);
        if (!write) {
            return std::nullopt;
        }
        change.writes.push_back(*std::move(write));
    }
    return at == fields.size() ? std::optional(std::move(change)) : std::nullopt;
}

// The allowed number of fields of a record kind.
struct RecordForm {
    std::string_view kind;
    std::size_t least;
    std::size_t most;
};

constexpr std::array record_forms{
    RecordForm{"boot", 2, 2},
    RecordForm{"whole", 2, 2},
    RecordForm{"begin", 6, 6},
    RecordForm{"entry", 5, SIZE_MAX},
    RecordForm{"wanted", 4, 4},
    RecordForm{"writing", 1, 1},
    RecordForm{"changed", 5, SIZE_MAX},
    RecordForm{"unwanted", 3, 3},
    RecordForm{"end", 1, 1},
    RecordForm{"leave", 2, 2},
    RecordForm{"undone", 2, 2},
    RecordForm{"reset", 1, SIZE_MAX},
    RecordForm{"settled", 3, SIZE_MAX},
    RecordForm{"foreign", 4, 4},
    RecordForm{"rest", 1, 1},
};

Record with_numbers(Record record, const std::vector<std::size_t>& numbers) {
    for (const auto ordinal : numbers) {
        record.push_back(number(ordinal));
    }
    return record;
}

}  // namespace

bool is_known(const Record& record, int format) {
    const auto* form = std::find_if(record_forms.begin(), record_forms.end(),
                                    [&](const RecordForm& each) { return each.kind == record[0]; });
    if (form == record_forms.end() || record.size() < form->least || record.size() > form->most) {
        return false;
    }
    if (form->kind == "changed") {
        return record[4] == "yes" || record[4] == "no";
    }
    return form->kind != "entry" || entry_of(record, format).has_value();
}

std::optional<Recorded> entry_of(const Record& fields, int format) {
    const std::size_t count_at = format == first_format ? 4 : 5;
    const auto states = fields.size() > count_at ? parse_number(fields[count_at]) : std::nullopt;
    auto change = states && *states <= fields.size() ? change_of(fields, count_at + 1, *states)
                                                     : std::nullopt;
    if (!change) {
        return std::nullopt;
    }
    return Recorded{fields[3], *std::move(change), format == first_format ? "" : fields[4]};
}

Record boot_record(const std::string& boot_id) {
    return {"boot", boot_id};
}

Record begin_record(const Transaction& transaction) {
    return {"begin",          number(transaction.number), transaction.time,
            transaction.user, transaction.hold,           number(transaction.announced)};
}

Record entry_record(const Key& key, const Recorded& entry, int format) {
    Record fields{"entry", key.id, key.target, entry.shown};
    if (format != first_format) {
        fields.push_back(entry.identity);
    }
    fields.push_back(number(entry.back.states.size()));
    for (const auto& [attribute, value, lost] : entry.back.states) {
        fields.insert(fields.end(), {std::string(word_of(attribute.codec)), attribute.path,
                                     number(attribute.offset), value, lost});
    }
    for (const auto& write : entry.back.writes) {
        fields.insert(fields.end(), {write.path, offset_text(write.offset), write.bytes});
    }
    return fields;
}

Record unwanted_record(const Key& key) {
    return {"unwanted", key.id, key.target};
}

Record expected_record(const Key& key, const std::string& shown) {
    return {"wanted", key.id, key.target, shown};
}

Record writing_record() {
    return {"writing"};
}

Record changed_record(const Key& key, const Changed& changed) {
    Record fields{"changed", key.id, key.target, changed.shown, changed.requested ? "yes" : "no"};
    fields.insert(fields.end(), changed.values.begin(), changed.values.end());
    return fields;
}

Record end_record() {
    return {"end"};
}

Record leave_record(const std::string& holder) {
    return {"leave", holder};
}

Record undone_record(std::size_t transaction) {
    return {"undone", number(transaction)};
}

Record reset_record(const std::vector<std::size_t>& transactions) {
    return with_numbers({"reset"}, transactions);
}

Record resolved_record(const Key& key, const std::vector<std::size_t>& transactions) {
    return with_numbers({"settled", key.id, key.target}, transactions);
}

Record foreign_record(const Key& key, const std::string& shown) {
    return {"foreign", key.id, key.target, shown};
}

Record rest_record() {
    return {"rest"};
}

void add(Records& records, Records more) {
    std::move(more.begin(), more.end(), std::back_inserter(records));
}

// Parsing of a journal's text in pieces, appending, and salvage of a damaged text.

namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::size_t most_salvaged = std::size_t{64} << 20;
constexpr std::size_t most_sentences = 5;
constexpr const char* first_line_damaged = "line 1 is damaged";

Error other_format(std::string_view format) {
    return {ErrorKind::bad_input, 0, "",
            "the journal has another format (" + printable(format, 20) +
                "): use the rocenv version that wrote it"};
}

// A newer journal is not reported as damage, because its content is intact.
Error newer_program(const std::string& what) {
    return {ErrorKind::bad_input, 0, "",
            "the journal was written by a newer rocenv (" + what + "): use that version"};
}

// Returns true for an intact first line of a newer program, verified by its sum.
bool is_newer_format(std::string_view format, std::string_view line) {
    constexpr std::uint64_t highest = 1000000;
    const auto value = parse_number(format);
    return value && *value > second_format && *value <= highest &&
           first_line(static_cast<int>(*value)) == std::string(line) + "\n";
}

// Returns the format in the first line if it is not one of ours; std::nullopt if the line is
// damaged or not of a journal.
std::optional<std::string_view> other_format_in(std::string_view line) {
    constexpr std::string_view head = "rocenv-journal\t";
    if (!line.starts_with(head)) {
        return std::nullopt;
    }
    const auto format = line.substr(head.size(), line.find('\t', head.size()) - head.size());
    const auto value = parse_number(format);
    const bool ours = !value || *value == first_format || *value == second_format;
    return ours ? std::nullopt : std::optional(format);
}

// The valid lines of a damaged text, by serial number or, in the first format, by line number.
struct Pieces {
    int format = first_format;
    std::map<std::uint64_t, Line> lines;
    std::vector<std::string> faults;
};

Pieces pieces_in(const std::vector<std::string_view>& texts, int format) {
    Pieces out;
    out.format = format;
    std::uint64_t next = 1;  // expected serial number of the next line
    for (std::size_t at = 1; at < texts.size(); ++at) {
        const std::string name = "line " + number(at + 1);
        auto line = parse_line(texts[at], format);
        const auto serial = !line || format == first_format ? next : line->serial;
        if (!line) {
            out.faults.push_back(name + " is damaged");
        } else if (serial > next) {
            out.faults.push_back("lines are missing in front of " + name);
        } else if (serial < next) {
            out.faults.push_back(name + " is in the wrong order");
        }
        next = serial + 1;
        if (line) {
            out.lines.try_emplace(serial, *std::move(line));
        }
    }
    return out;
}

// Limits the list of faults to `most_sentences`.
std::vector<std::string> first_faults(std::vector<std::string> faults) {
    const auto count = faults.size();
    if (count > most_sentences) {
        faults.resize(most_sentences);
        faults.push_back("and " + number(count - most_sentences) + " more");
    }
    return faults;
}

}  // namespace

void JournalText::feed(std::string_view piece) {
    auto& journal = reader_.journal;
    while (!piece.empty() && !error_ && journal.damage.empty()) {
        const auto end = piece.find('\n');
        rest_ += piece.substr(0, end);
        if (end == std::string_view::npos) {
            if (rest_.size() > longest_line) {
                journal.damage.push_back("line " + number(lines_ + 1) + " has no end");
            }
            return;
        }
        journal.good_size += rest_.size() + 1;
        take_line(std::exchange(rest_, ""));
        piece.remove_prefix(end + 1);
    }
}

void JournalText::take_line(std::string_view text) {
    auto& journal = reader_.journal;
    ++lines_;
    if (lines_ == 1) {
        take_first(text);
        return;
    }
    const auto line = parse_line(text, chain_.format);
    const bool whole = line && continues(chain_, *line);
    if (whole && reader_.take(line->record)) {
        return;
    }
    const bool chained = chain_.format != first_format && journal.damage.empty();
    if (whole && chained && !is_known(line->record, chain_.format)) {
        note_newer("line " + number(lines_) + ", \"" + printable(line->record[0], 20) +
                   "\", is not known to this version");
    } else {
        journal.damage.push_back("line " + number(lines_) + " was changed after it was written");
    }
}

void JournalText::take_first(std::string_view text) {
    for (const int format : {first_format, second_format}) {
        if (first_line(format) == std::string(text) + "\n") {
            chain_ = {format, 0, std::string(text.substr(text.rfind('\t') + 1))};
            reader_.journal.format = format;
            return;
        }
    }
    const auto format = other_format_in(text);
    if (format && is_newer_format(*format, text)) {
        note_newer("format " + std::string(*format) + ", and this version knows none above " +
                   number(second_format));
    } else if (format) {
        error_ = other_format(*format);
    } else {
        reader_.journal.damage.emplace_back(first_line_damaged);
    }
}

void JournalText::note_newer(const std::string& what) {
    if (!newer_) {
        error_ = newer_program(what);
    }
    newer_ = true;
}

std::optional<Error> JournalText::finish() {
    auto& journal = reader_.journal;
    journal.torn = !rest_.empty();
    if (lines_ < journal.least_lines && journal.damage.empty()) {
        journal.damage.emplace_back("its end is missing");
    }
    const bool torn_first = lines_ == 0 && (first_line(first_format).starts_with(rest_) ||
                                            first_line(second_format).starts_with(rest_));
    if (lines_ == 0 && !torn_first && journal.damage.empty()) {
        journal.damage.emplace_back(first_line_damaged);
    }
    rest_.clear();
    return error_;
}

std::string JournalText::add(const Records& records, const std::string& boot_id, int format) {
    auto& journal = reader_.journal;
    std::string text;
    const auto append = [&](const Record& record) {
        text += line_of(record, chain_);
        (void)reader_.take(record);
        ++lines_;
    };
    if (lines_ == 0) {
        text = first_line(format);
        take_first(std::string_view(text).substr(0, text.size() - 1));
        lines_ = 1;
    }
    if (lines_ == 1) {
        append(boot_record(boot_id));
    }
    std::for_each(records.begin(), records.end(), append);
    journal.torn = false;
    journal.good_size += text.size();
    return text;
}

Journal salvage(std::string_view text) {
    auto texts = split(text, '\n');
    texts.pop_back();  // text behind the last line end: empty or torn
    const auto known = std::find_if(texts.begin(), texts.end(), [](std::string_view line) {
        return parse_line(line, second_format).has_value();
    });
    const Pieces pieces = pieces_in(texts, known == texts.end() ? first_format : second_format);
    RecordReader reader(RecordReader::Way::salvage);
    reader.journal.format = pieces.format;
    std::uint64_t last = 0;
    for (const auto& [serial, line] : pieces.lines) {
        if (serial != last + 1) {
            reader.note_gap();
        }
        last = serial;
        if (is_known(line.record, pieces.format)) {
            (void)reader.take(line.record);
        }
    }
    reader.journal.damage = first_faults(pieces.faults);
    return std::move(reader.journal);
}

Result<std::string> text_of(const JournalStore& store) {
    std::string text;
    auto error = store.load([&](std::string_view piece) { text += piece; });
    return error ? Result<std::string>(*std::move(error)) : std::move(text);
}

Journal salvaged(const JournalStore& store) {
    std::string whole;
    bool too_large = false;
    (void)store.load([&](std::string_view piece) {
        too_large = too_large || whole.size() + piece.size() > most_salvaged;
        whole += too_large ? "" : piece;
    });
    return salvage(whole);
}

Result<Journal> read_journal(const JournalStore& store) {
    JournalText text;
    if (auto error = store.load([&](std::string_view piece) { text.feed(piece); })) {
        return error->kind == ErrorKind::not_here ? Result<Journal>(Journal()) : *std::move(error);
    }
    const auto error = text.finish();
    if (!error && text.journal().damage.empty()) {
        return text.journal();
    }
    if (text.is_newer()) {
        return *error;
    }
    Journal left = salvaged(store);
    if (error && left.empty()) {
        return *error;
    }
    // salvage() does not report faults of the first line
    const std::string first = error ? first_line_damaged : text.journal().damage.front();
    if (left.damage.empty() || first == first_line_damaged) {
        left.damage.insert(left.damage.begin(), first);
    }
    return left;
}

// Compaction of a journal, so that its size is bounded by targets and living holders, no matter how
// often a node is set.

namespace {

bool is_holder(const Journal& journal, const std::string& name) {
    return std::binary_search(journal.holders.begin(), journal.holders.end(), name);
}

// Names that no holder can have. Settings of departed jobs belong to all remaining jobs, and those
// of a departed run are restored when no holder relies on them. So the names themselves are not
// needed.
const std::string departed_job = "left/job";
const std::string departed_run = "run/left";

std::string owner_of(const Journal& journal, const Transaction& transaction) {
    if (transaction.hold.empty() || is_holder(journal, transaction.hold)) {
        return transaction.hold;
    }
    return is_run_hold(transaction.hold) ? departed_run : departed_job;
}

bool is_living(const Journal& journal, const Transaction& transaction) {
    return !transaction.hold.empty() && is_holder(journal, transaction.hold);
}

// Returns true if a foreign value divides the transactions: those after it found it so.
bool divided(const Journal& journal, const Transaction& older, const Transaction& newer) {
    return std::any_of(journal.foreign.begin(), journal.foreign.end(), [&](const auto& entry) {
        return older.number <= entry.second.begun && entry.second.begun < newer.number;
    });
}

// Merges transactions per key. Transactions of one owner are restored together, so each key and
// owner needs one record, at the position of the last. The oldest original stays with the
// transaction that is then first.
class Folding {
   public:
    explicit Folding(const Journal& journal) : journal_(journal) {}

    void add(Transaction transaction) {
        transaction.hold = owner_of(journal_, transaction);
        std::vector<Key> gone;
        for (const auto& [key, changed] : transaction.changed) {
            if (transaction.entries.contains(key) && joins(key, transaction)) {
                gone.push_back(key);
            }
        }
        for (const auto& key : gone) {
            transaction.changed.erase(key);
            transaction.entries.erase(key);
        }
        if (!is_living(journal_, transaction)) {
            transaction.expected.clear();
        }
        if (!transaction.changed.empty() || !merge_expected(transaction)) {
            out_.push_back(std::move(transaction));
        }
    }

    std::vector<Transaction> finish() {
        std::erase_if(out_, [&](const Transaction& transaction) {
            return transaction.changed.empty() && !is_living(journal_, transaction);
        });
        return std::move(out_);
    }

   private:
    bool alike(const Transaction& older, const Transaction& newer) const {
        return older.hold == newer.hold && !divided(journal_, older, newer);
    }

    // Returns true if an earlier transaction now has the key.
    bool joins(const Key& key, const Transaction& transaction) {
        const auto before = having(key);
        if (before.empty()) {
            return moves(key, transaction);
        }
        Transaction& last = out_[before.back()];
        if (alike(last, transaction)) {
            last.changed[key] = transaction.changed.at(key);
            return true;
        }
        drop_older(key, before, transaction);
        return false;
    }

    std::vector<std::size_t> having(const Key& key) const {
        std::vector<std::size_t> out;
        for (std::size_t at = 0; at < out_.size(); ++at) {
            if (out_[at].changed.contains(key)) {
                out.push_back(at);
            }
        }
        return out;
    }

    // Moves the key to the first transaction of the same owner: no other transaction has it, so
    // order is irrelevant.
    bool moves(const Key& key, const Transaction& transaction) {
        const auto first = std::find_if(out_.begin(), out_.end(), [&](const Transaction& older) {
            return alike(older, transaction);
        });
        if (first == out_.end()) {
            return false;
        }
        first->entries[key] = transaction.entries.at(key);
        first->changed[key] = transaction.changed.at(key);
        return true;
    }

    void drop_older(const Key& key, const std::vector<std::size_t>& before,
                    const Transaction& transaction) {
        for (std::size_t at = before.size(); at-- > 0;) {
            Transaction& older = out_[before[at]];
            if (is_living(journal_, older) || is_living(journal_, transaction)) {
                return;
            }
            if (alike(older, transaction)) {
                if (at == 0) {
                    out_[before[1]].entries[key] = older.entries.at(key);
                }
                older.changed.erase(key);
                older.entries.erase(key);
                return;
            }
        }
    }

    // Merges the values that a holder relies on with those of its earlier set.
    bool merge_expected(const Transaction& transaction) {
        const auto first = std::find_if(out_.begin(), out_.end(), [&](const Transaction& older) {
            return alike(older, transaction);
        });
        if (first == out_.end()) {
            return !is_living(journal_, transaction);
        }
        for (const auto& [key, shown] : transaction.expected) {
            first->expected[key] = shown;
        }
        return true;
    }

    const Journal& journal_;
    std::vector<Transaction> out_;
};

// In the first format a transaction builds on the complete entries of the one before it.
void add_transaction(Records& records, Transaction transaction, int format) {
    std::erase_if(transaction.entries,
                  [&](const auto& entry) { return !transaction.changed.contains(entry.first); });
    transaction.announced = transaction.entries.size();
    records.push_back(begin_record(transaction));
    for (const auto& [key, entry] : transaction.entries) {
        records.push_back(entry_record(key, entry, format));
    }
    for (const auto& [key, shown] : transaction.expected) {
        records.push_back(expected_record(key, shown));
    }
    records.push_back(writing_record());
    for (const auto& [key, changed] : transaction.changed) {
        records.push_back(changed_record(key, changed));
    }
    records.push_back(end_record());
}

using Strangers = std::map<Key, Foreign>;

// Adds the foreign values noted after `from` and before `below` transactions had begun.
void add_foreign(Records& records, const Strangers& all, std::size_t from, std::size_t below) {
    for (const auto& [key, foreign] : all) {
        if (from <= foreign.begun && foreign.begun < below) {
            records.push_back(foreign_record(key, foreign.shown));
        }
    }
}

std::vector<Transaction> folded(const Journal& journal) {
    Folding folding(journal);
    for (const auto& transaction : journal.transactions) {
        folding.add(transaction);
    }
    return folding.finish();
}

Records records_of(const std::vector<Transaction>& transactions, const Strangers& foreign,
                   int format) {
    constexpr std::size_t lines_in_front = 3;  // the first line, the boot record and this record
    Records records;
    for (std::size_t at = 0; at < transactions.size(); ++at) {
        const bool last = at + 1 == transactions.size();
        add_transaction(records, transactions[at], format);
        add_foreign(records, foreign, at == 0 ? 0 : transactions[at].number,
                    last ? SIZE_MAX : transactions[at + 1].number);
    }
    for (const auto& name : {departed_job, departed_run}) {
        const bool any =
            std::any_of(transactions.begin(), transactions.end(),
                        [&](const Transaction& transaction) { return transaction.hold == name; });
        if (any) {
            records.push_back(leave_record(name));
        }
    }
    if (format != first_format) {
        records.insert(records.begin(), {"whole", number(records.size() + lines_in_front)});
    }
    return records;
}

Transaction picked_part(Transaction transaction, const Picks& picks, bool picked) {
    std::erase_if(transaction.changed,
                  [&](const auto& each) { return picks(each.first) != picked; });
    return transaction;
}

}  // namespace

Records compact_records(const Journal& journal, int format) {
    return records_of(folded(journal), journal.foreign, format);
}

// The parts are renumbered, since no two transactions have the same number. Foreign values stay
// between the same two transactions.
SetApart set_apart(const Journal& journal, int format, const Picks& picks) {
    SetApart out;
    std::vector<Transaction> parts;
    Strangers foreign = journal.foreign;
    for (auto& [key, each] : foreign) {
        each.begun = 0;
    }
    for (const auto& transaction : folded(journal)) {
        for (const bool picked : {false, true}) {
            Transaction part = picked_part(transaction, picks, picked);
            if (part.changed.empty()) {
                continue;
            }
            part.number = parts.size() + 1;
            if (picked) {
                out.numbers.push_back(part.number);
            }
            parts.push_back(std::move(part));
        }
        for (auto& [key, each] : foreign) {
            if (transaction.number <= journal.foreign.at(key).begun) {
                each.begun = parts.size();
            }
        }
    }
    out.records = records_of(parts, foreign, format);
    return out;
}

}  // namespace rocenv
