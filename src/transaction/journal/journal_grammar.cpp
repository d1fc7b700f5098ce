// SPDX-License-Identifier: MIT
// The record types of a journal.
#include "transaction/journal/journal_grammar.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

bool names(const Record& record, std::size_t from, std::size_t ordinal) {
    return std::find(record.begin() + static_cast<std::ptrdiff_t>(from), record.end(),
                     number(ordinal)) != record.end();
}

void add_name(std::vector<std::string>& sorted, const std::string& name) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), name);
    if (!name.empty() && (at == sorted.end() || *at != name)) {
        sorted.insert(at, name);
    }
}

}  // namespace

bool RecordReader::take(const Record& record) {
    const std::string& kind = record[0];
    const std::size_t size = record.size();
    if (kind == "boot" && size == 2) {
        journal.boot_id = record[1];
        return true;
    }
    if (kind == "begin" && size == 6) {
        return begin(record);
    }
    if (kind == "leave" && size == 2) {
        std::erase(journal.holders, record[1]);
        return true;
    }
    if (kind == "reset") {
        return begin_reset(record);
    }
    if (kind == "whole" && size == 2) {
        journal.least_lines = parse_number(record[1]).value_or(SIZE_MAX);
        return journal.least_lines != SIZE_MAX;
    }
    if (kind == "rest" && size == 1) {
        journal.reset_begun = false;
        journal.resetting.clear();
        return true;
    }
    return take_about_transactions(record);
}

bool RecordReader::take_about_transactions(const Record& record) {
    const std::string& kind = record[0];
    const std::size_t size = record.size();
    if (kind == "undone" && size == 2) {
        std::erase_if(journal.transactions, [&](const Transaction& transaction) {
            return number(transaction.number) == record[1];
        });
        return true;
    }
    if (kind == "settled" && size >= 3) {
        resolve({record[1], record[2]}, record);
        return true;
    }
    if (kind == "foreign" && size == 4) {
        journal.foreign[{record[1], record[2]}] = {record[3], journal.begun};
        return true;
    }
    return take_part(record);
}

bool RecordReader::begin(const Record& record) {
    const auto ordinal = parse_number(record[1]);
    const auto announced = parse_number(record[5]);
    if (!ordinal || !announced) {
        return false;
    }
    Transaction transaction;
    transaction.number = *ordinal;
    transaction.time = record[2];
    transaction.user = record[3];
    transaction.hold = record[4];
    transaction.announced = *announced;
    if (journal.format == first_format && !journal.transactions.empty()) {
        transaction.entries = journal.transactions.back().entries;
    }
    add_name(journal.holders, transaction.hold);
    journal.begun = std::max(journal.begun, transaction.number);
    journal.transactions.push_back(std::move(transaction));
    return true;
}

bool RecordReader::begin_reset(const Record& record) {
    journal.reset_begun = true;
    for (const auto& transaction : journal.transactions) {
        if (record.size() == 1 || names(record, 1, transaction.number)) {
            journal.resetting.push_back(transaction.number);
        }
    }
    return true;
}

void RecordReader::note_gap() {
    gap_ = true;
}

// Returns the transaction that the record is a part of; nullptr if there is none.
Transaction* RecordReader::transaction_of(const Record& record) {
    auto& all = journal.transactions;
    const bool opens = record[0] == "entry" || record[0] == "wanted";
    const bool belongs = !all.empty() && !all.back().ended && !(opens && all.back().began_writing);
    if (way_ == Way::salvage && !belongs && (all.empty() || record[0] != "end")) {
        all.push_back({});  // the record of its beginning is lost
        all.back().number = ++journal.begun;
    }
    return all.empty() ? nullptr : &all.back();
}

bool RecordReader::take_part(const Record& record) {
    Transaction* transaction = transaction_of(record);
    if (transaction == nullptr) {
        return false;
    }
    const std::string& kind = record[0];
    const std::size_t size = record.size();
    if (kind == "entry") {
        return take_entry(record, *transaction);
    }
    if (kind == "wanted" && size == 4) {
        transaction->expected[{record[1], record[2]}] = record[3];
        return true;
    }
    if (kind == "unwanted" && size == 3) {
        transaction->expected.erase({record[1], record[2]});
        return true;
    }
    if (kind == "changed" && size >= 5) {
        return take_changed(record, *transaction);
    }
    if (kind == "writing" && size == 1) {
        return begin_writing(*transaction);
    }
    return kind == "end" && size == 1 && end();
}

bool RecordReader::take_entry(const Record& record, Transaction& transaction) {
    auto entry = entry_of(record, journal.format);
    if (!entry) {
        return false;
    }
    transaction.entries[{record[1], record[2]}] = *std::move(entry);
    ++transaction.recorded;
    return true;
}

// Adds a changed target. A salvaged one may lack its entry, and the old value is then unknown.
bool RecordReader::take_changed(const Record& record, Transaction& transaction) {
    const Key key{record[1], record[2]};
    const std::string& complete = record[4];
    if ((way_ == Way::strict && !transaction.entries.contains(key)) ||
        (complete != "yes" && complete != "no")) {
        return false;
    }
    transaction.changed[key] = {record[3], {record.begin() + 5, record.end()}, complete == "yes"};
    return true;
}

bool RecordReader::begin_writing(Transaction& transaction) {
    if (way_ == Way::strict && transaction.recorded < transaction.announced) {
        return false;
    }
    transaction.began_writing = true;
    gap_ = false;
    return true;
}

// Ends a transaction and drops entries of unchanged targets. They stay in the first format, whose
// next transaction builds on them, and if lines about changes may be lost.
bool RecordReader::end() {
    Transaction& transaction = journal.transactions.back();
    transaction.ended = true;
    transaction.lost_lines = way_ == Way::salvage && (gap_ || !transaction.began_writing);
    if (journal.format != first_format && !transaction.lost_lines) {
        std::erase_if(transaction.entries, [&](const auto& entry) {
            return !transaction.changed.contains(entry.first);
        });
    }
    return true;
}

void RecordReader::resolve(const Key& key, const Record& record) {
    for (auto& transaction : journal.transactions) {
        if (names(record, 3, transaction.number)) {
            transaction.changed.erase(key);
            if (!transaction.ended ||
                transaction.lost_lines) {  // entries list the possible differences
                transaction.entries.erase(key);
            }
        }
    }
    journal.foreign.erase(key);
}

std::string held_since(const Journal& journal, const std::string& name) {
    for (const auto& transaction : journal.transactions) {
        if (transaction.hold == name) {
            return transaction.time;
        }
    }
    return "";
}

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (byte == '\\') {
            out += "\\\\";
        } else if (value < 0x20 || value >= 0x7f) {
            out += escaped_byte(byte);
        } else {
            out += byte;
        }
    }
    return out;
}

// Returns the FNV-1a sum. It detects damage; write access is limited by the folder.
std::string sum_of(std::string_view text, int format) {
    if (format == first_format) {
        std::uint32_t sum = 2166136261U;
        for (const char byte : text) {
            sum = (sum ^ static_cast<unsigned char>(byte)) * 16777619U;
        }
        return bare_hex(sum, 8);
    }
    return bare_hex(fnv1a(text), 16);
}

std::string escaped_fields(const Record& record) {
    std::string text;
    for (const auto& field : record) {
        text += escaped(field) + "\t";
    }
    return text;
}

// Removes the first field from `text` and returns it.
std::string_view next_field(std::string_view& text) {
    const auto end = text.find('\t');
    const auto field = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return field;
}

std::optional<Record> record_in(std::string_view body) {
    constexpr std::ptrdiff_t most_fields =
        4096;  // a change has some tens, a reset lists transactions
    if (std::count(body.begin(), body.end(), '\t') >= most_fields) {
        return std::nullopt;
    }
    Record record;
    for (const auto part : split(body, '\t')) {
        auto text = unescaped(part, "\\");
        if (!text) {
            return std::nullopt;
        }
        record.push_back(*std::move(text));
    }
    return record;
}

}  // namespace

std::string first_line(int format) {
    const std::string text = escaped_fields({"rocenv-journal", number(format)});
    return text + sum_of(text, format) + "\n";
}

std::string line_of(const Record& record, Chain& chain) {
    std::string text = escaped_fields(record);
    if (chain.format != first_format) {
        text = number(++chain.serial) + "\t" + chain.sum + "\t" + text;
    }
    chain.sum = sum_of(text, chain.format);
    return text + chain.sum + "\n";
}

std::optional<Line> parse_line(std::string_view text, int format) {
    const auto last = text.rfind('\t');
    if (last == std::string_view::npos ||
        sum_of(text.substr(0, last + 1), format) != text.substr(last + 1)) {
        return std::nullopt;
    }
    Line line;
    line.sum = text.substr(last + 1);
    std::string_view body = text.substr(0, last);
    if (format != first_format) {
        const auto serial = parse_number(next_field(body));
        line.before = next_field(body);
        if (!serial) {
            return std::nullopt;
        }
        line.serial = *serial;
    }
    auto record = record_in(body);
    if (!record) {
        return std::nullopt;
    }
    line.record = *std::move(record);
    return line;
}

bool continues(Chain& chain, const Line& line) {
    if (chain.format != first_format &&
        (line.serial != chain.serial + 1 || line.before != chain.sum)) {
        return false;
    }
    chain.serial = line.serial;
    chain.sum = line.sum;
    return true;
}

}  // namespace rocenv
