// SPDX-License-Identifier: MIT
// Grammar, one record a line, fields separated by tabs, the last field a check sum of the line:
//
//   rocenv-journal 1
//   boot ID
//   begin NUMBER TIME USER HOLD ENTRIES      a set
//   entry ID TARGET SHOWN STATES {CODEC PATH OFFSET VALUE LOST}… {PATH OFFSET BYTES}…
//   wanted ID TARGET SHOWN                   of a hold
//   writing                                  all of its entries are above
//   changed ID TARGET SHOWN yes|no VALUE…    yes: wanted, no: a side effect
//   end
//   leave HOLD
//   undone NUMBER
//   reset NUMBER…                            of these values may have been put back; none: of all
//   settled ID TARGET NUMBER…                of these: is back, or was accepted
//   foreign ID TARGET SHOWN                  left alone as someone else's
//   rest                                     the reset is over
//
// OFFSET is empty for the file as a whole. A transaction records only entries that differ from what
// earlier ones recorded; parse_journal() fills in the others.
#include "core/journal.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view magic = "rocenv-journal";
constexpr std::string_view version = "1";
constexpr std::size_t state_fields = 5;
constexpr std::size_t write_fields = 3;

std::string escaped(std::string_view text) {
    std::string out;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (byte == '\\') {
            out += "\\\\";
        } else if (value < 0x20 || value >= 0x7f) {
            out += "\\x" + bare_hex(value, 2);
        } else {
            out += byte;
        }
    }
    return out;
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            out += text[at];
        } else if (text.substr(at, 2) == "\\\\") {
            out += '\\';
            ++at;
        } else {
            const auto value = text.substr(at, 2) == "\\x"
                                   ? parse_number(text.substr(at + 2, 2), 16)
                                   : std::nullopt;
            if (!value || at + 4 > text.size()) {
                return std::nullopt;
            }
            out += static_cast<char>(*value);
            at += 3;
        }
    }
    return out;
}

// FNV-1a, 32 bits: tells a torn line from a whole one, nothing more.
std::string check_sum(std::string_view text) {
    std::uint32_t sum = 2166136261U;
    for (const char byte : text) {
        sum = (sum ^ static_cast<unsigned char>(byte)) * 16777619U;
    }
    return bare_hex(sum, 8);
}

std::string record(const std::vector<std::string>& fields) {
    std::string line;
    for (const auto& field : fields) {
        line += escaped(field) + "\t";
    }
    return line + check_sum(line) + "\n";
}

std::string offset_text(const std::optional<std::uint64_t>& offset) {
    return offset ? number(*offset) : "";
}

using Fields = std::vector<std::string>;

// Nothing for a line that is not whole.
std::optional<Fields> fields_of(std::string_view line) {
    const auto last = line.rfind('\t');
    if (last == std::string_view::npos ||
        check_sum(line.substr(0, last + 1)) != line.substr(last + 1)) {
        return std::nullopt;
    }
    Fields fields;
    for (const auto part : split(line.substr(0, last), '\t')) {
        auto text = unescaped(part);
        if (!text) {
            return std::nullopt;
        }
        fields.push_back(*std::move(text));
    }
    return fields;
}

std::optional<CellState> state_of(const Fields& fields, std::size_t at) {
    const auto codec = codec_of_word(fields[at]);
    const auto offset = parse_number(fields[at + 2]);
    if (!codec || !offset) {
        return std::nullopt;
    }
    return CellState{{fields[at + 1], *codec, *offset}, fields[at + 3], fields[at + 4]};
}

std::optional<Write> write_of(const Fields& fields, std::size_t at) {
    Write write{fields[at], std::nullopt, fields[at + 2]};
    if (!fields[at + 1].empty()) {
        write.offset = parse_number(fields[at + 1]);
        if (!write.offset) {
            return std::nullopt;
        }
    }
    return write;
}

// "entry ID TARGET SHOWN STATES …"
std::optional<Recorded> entry_of(const Fields& fields) {
    const auto states = fields.size() > 4 ? parse_number(fields[4]) : std::nullopt;
    if (!states || *states > fields.size()) {
        return std::nullopt;
    }
    Recorded entry;
    entry.shown = fields[3];
    std::size_t at = 5;
    for (std::size_t count = 0; count < *states; ++count, at += state_fields) {
        auto state = at + state_fields <= fields.size() ? state_of(fields, at) : std::nullopt;
        if (!state) {
            return std::nullopt;
        }
        entry.back.states.push_back(*std::move(state));
    }
    for (; at + write_fields <= fields.size(); at += write_fields) {
        auto write = write_of(fields, at);
        if (!write) {
            return std::nullopt;
        }
        entry.back.writes.push_back(*std::move(write));
    }
    return at == fields.size() ? std::optional(std::move(entry)) : std::nullopt;
}

// Takes records one by one; false where one makes no sense.
class Reader {
   public:
    Journal journal;

    bool take(const Fields& fields) {
        const std::string& kind = fields[0];
        const std::size_t size = fields.size();
        if (kind == "boot" && size == 2) {
            journal.boot_id = fields[1];
            return true;
        }
        if (kind == "begin" && size == 6) {
            return begin(fields);
        }
        if (kind == "leave" && size == 2) {
            std::erase(journal.holders, fields[1]);
            return true;
        }
        if (kind == "undone" && size == 2) {
            std::erase_if(journal.transactions, [&](const Transaction& transaction) {
                return number(transaction.number) == fields[1];
            });
            return true;
        }
        if (kind == "reset") {
            return begin_reset({fields.begin() + 1, fields.end()});
        }
        if (kind == "rest" && size == 1) {
            journal.reset_begun = false;
            journal.resetting.clear();
            return true;
        }
        if (kind == "settled" && size >= 3) {
            settle({fields[1], fields[2]}, {fields.begin() + 3, fields.end()});
            return true;
        }
        if (kind == "foreign" && size == 4) {
            journal.foreign[{fields[1], fields[2]}] = {fields[3], journal.begun};
            return true;
        }
        return !journal.transactions.empty() && take_part(fields, journal.transactions.back());
    }

   private:
    bool begin(const Fields& fields) {
        const auto ordinal = parse_number(fields[1]);
        const auto announced = parse_number(fields[5]);
        if (!ordinal || !announced) {
            return false;
        }
        Transaction transaction;
        transaction.number = *ordinal;
        transaction.time = fields[2];
        transaction.user = fields[3];
        transaction.hold = fields[4];
        transaction.announced = *announced;
        if (!journal.transactions.empty()) {
            inherit(journal.transactions.back(), transaction);
        }
        if (!transaction.hold.empty() && std::find(journal.holders.begin(), journal.holders.end(),
                                                   transaction.hold) == journal.holders.end()) {
            journal.holders.push_back(transaction.hold);
            std::sort(journal.holders.begin(), journal.holders.end());
        }
        journal.begun = std::max(journal.begun, transaction.number);
        journal.transactions.push_back(std::move(transaction));
        return true;
    }

    bool begin_reset(const Fields& numbers) {
        journal.reset_begun = true;
        for (const auto& transaction : journal.transactions) {
            const bool named = std::find(numbers.begin(), numbers.end(),
                                         number(transaction.number)) != numbers.end();
            if (named || numbers.empty()) {
                journal.resetting.push_back(transaction.number);
            }
        }
        return true;
    }

    static void inherit(const Transaction& before, Transaction& transaction) {
        transaction.entries = before.entries;
    }

    static bool take_part(const Fields& fields, Transaction& transaction) {
        const std::string& kind = fields[0];
        const std::size_t size = fields.size();
        if (kind == "entry") {
            auto entry = entry_of(fields);
            if (!entry) {
                return false;
            }
            transaction.entries[{fields[1], fields[2]}] = *std::move(entry);
            ++transaction.recorded;
            return true;
        }
        if (kind == "wanted" && size == 4) {
            transaction.wanted[{fields[1], fields[2]}] = fields[3];
            return true;
        }
        if (kind == "changed" && size >= 5) {
            transaction.changed[{fields[1], fields[2]}] = {
                fields[3], {fields.begin() + 5, fields.end()}, fields[4] == "yes"};
            return true;
        }
        if ((kind == "writing" || kind == "end") && size == 1) {
            (kind == "end" ? transaction.ended : transaction.began_writing) = true;
            return true;
        }
        return false;
    }

    void settle(const Key& key, const Fields& numbers) {
        for (auto& transaction : journal.transactions) {
            if (std::find(numbers.begin(), numbers.end(), number(transaction.number)) !=
                numbers.end()) {
                transaction.changed.erase(key);
                if (!transaction.ended) {  // its entries say what may differ
                    transaction.entries.erase(key);
                }
            }
        }
        journal.foreign.erase(key);
    }
};

// The first line decides whose file it is. A journal torn within it has recorded nothing.
std::optional<Error> foreign_file(std::string_view text) {
    const std::string head = std::string(magic) + "\t";
    const std::string whole = record({std::string(magic), std::string(version)});
    if (whole.starts_with(text) || text.starts_with(whole)) {
        return std::nullopt;
    }
    if (text.starts_with(head)) {
        return Error{ErrorKind::bad_input, 0, "",
                     "the journal is of another format (" +
                         printable(text.substr(head.size(), text.find('\n') - head.size()), 20) +
                         "): use the rocenv that wrote it"};
    }
    return garbled("the journal", "is not rocenv's");
}

}  // namespace

std::string head_record(const std::string& boot_id) {
    return record({std::string(magic), std::string(version)}) + record({"boot", boot_id});
}

std::string begin_record(const Transaction& transaction) {
    return record({"begin", number(transaction.number), transaction.time, transaction.user,
                   transaction.hold, number(transaction.announced)});
}

std::string entry_record(const Key& key, const Recorded& entry) {
    Fields fields{"entry", key.id, key.target, entry.shown, number(entry.back.states.size())};
    for (const auto& [cell, value, lost] : entry.back.states) {
        fields.insert(fields.end(), {std::string(codec_word(cell.codec)), cell.path,
                                     number(cell.offset), value, lost});
    }
    for (const auto& write : entry.back.writes) {
        fields.insert(fields.end(), {write.path, offset_text(write.offset), write.bytes});
    }
    return record(fields);
}

std::string wanted_record(const Key& key, const std::string& shown) {
    return record({"wanted", key.id, key.target, shown});
}

std::string writing_record() {
    return record({"writing"});
}

std::string changed_record(const Key& key, const Changed& changed) {
    Fields fields{"changed", key.id, key.target, changed.shown, changed.wanted ? "yes" : "no"};
    fields.insert(fields.end(), changed.values.begin(), changed.values.end());
    return record(fields);
}

std::string end_record() {
    return record({"end"});
}

std::string leave_record(const std::string& holder) {
    return record({"leave", holder});
}

std::string undone_record(std::size_t transaction) {
    return record({"undone", number(transaction)});
}

std::string reset_record(const std::vector<std::size_t>& transactions) {
    Fields fields{"reset"};
    for (const auto transaction : transactions) {
        fields.push_back(number(transaction));
    }
    return record(fields);
}

std::string settled_record(const Key& key, const std::vector<std::size_t>& transactions) {
    Fields fields{"settled", key.id, key.target};
    for (const auto transaction : transactions) {
        fields.push_back(number(transaction));
    }
    return record(fields);
}

std::string foreign_record(const Key& key, const std::string& shown) {
    return record({"foreign", key.id, key.target, shown});
}

std::string rest_record() {
    return record({"rest"});
}

Result<Journal> parse_journal(std::string_view text) {
    if (const auto error = foreign_file(text)) {
        return *error;
    }
    Reader reader;
    Journal& journal = reader.journal;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto end = text.find('\n', at);
        const auto fields =
            end == std::string_view::npos ? std::nullopt : fields_of(text.substr(at, end - at));
        const bool head = fields && at == 0;
        if (!fields || (!head && !reader.take(*fields))) {
            journal.cut = true;
            break;
        }
        at = end + 1;
    }
    journal.good_size = at;
    return std::move(journal);
}

}  // namespace rocenv
