// SPDX-License-Identifier: MIT
// Journals: read as they are, and again with every line's sum and position corrected, to reach the
// code behind the sums. An accepted journal is continued, compacted and set apart, and its writes
// are compared with the rules of its records.
#include <algorithm>
#include <map>
#include <set>

#include "fuzz/fuzz.h"
#include "os/fs/tree_file.h"
#include "transaction/journal/journal_grammar.h"
#include "transaction/journal/record_rules.h"
#include "util/text.h"

namespace rocenv::fuzz {

namespace journal_fuzz {

namespace {

// Returns the lines with correct sums, as a writer who knows the format would write them.
std::string resealed(std::string_view bytes) {
    const bool first = bytes.starts_with("rocenv-journal\t1");
    Chain chain;
    chain.format = first ? first_format : second_format;
    std::string text = first_line(chain.format);
    chain.sum = text.substr(text.rfind('\t') + 1, text.size() - text.rfind('\t') - 2);
    auto lines = split(bytes, '\n');
    lines.erase(lines.begin());
    for (const auto line : lines) {
        auto fields = split(line, '\t');
        const std::size_t front = first ? 0 : 2;
        if (fields.size() > front + 1) {
            fields = {fields.begin() + static_cast<std::ptrdiff_t>(front), fields.end() - 1};
        }
        Record record;
        for (const auto field : fields) {
            record.push_back(unescaped(field, "\\").value_or(std::string(field)));
        }
        text += line_of(record, chain);
    }
    return text;
}

// All that a journal says, as text that can be compared.
std::string printed(const Journal& journal) {
    Records records{{"format", number(journal.format), number(journal.good_size),
                     number(journal.begun), journal.reset_begun ? "reset" : ""},
                    boot_record(journal.boot_id),
                    journal.holders.empty() ? Record{"none"} : journal.holders};
    for (const auto& transaction : journal.transactions) {
        records.push_back(begin_record(transaction));
        for (const auto& [key, entry] : transaction.entries) {
            records.push_back(entry_record(key, entry, second_format));
        }
        for (const auto& [key, changed] : transaction.changed) {
            records.push_back(changed_record(key, changed));
        }
        for (const auto& [key, shown] : transaction.expected) {
            records.push_back(expected_record(key, shown));
        }
        records.push_back(
            {transaction.began_writing ? "writing" : "", transaction.ended ? "end" : ""});
    }
    for (const auto& [key, foreign] : journal.foreign) {
        records.push_back({"foreign", key.id, key.target, foreign.shown, number(foreign.begun)});
    }
    Chain chain;
    std::string text;
    for (const auto& record : records) {
        text += line_of(record, chain);
    }
    return text + join(journal.damage, "\n");
}

struct Read {
    JournalText text;
    std::optional<Error> error;
    bool accepted() const { return !error && text.journal().damage.empty(); }
};

Read read(std::string_view text, std::size_t piece) {
    Read out;
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
        out.text.feed(text.substr(0, piece));
    }
    out.error = out.text.finish();
    return out;
}

// Checks a record of any journal: if the rules accept it, it writes to a kernel's file that is
// named in full.
void check_rules(const Key& key, const Change& back) {
    if (const auto error = refused_record(key, back)) {
        demand(error->kind == ErrorKind::bad_input, "a refused record is bad input");
        return demand_message(*error);
    }
    demand(!back.writes.empty() && !back.states.empty(), "a record writes, and proves it");
    for (const auto& write : back.writes) {
        const bool is_kernel_file =
            write.path.starts_with("/sys/") || write.path.starts_with("/proc/sys/");
        demand(is_kernel_file && is_plain_path(write.path) && is_plain(write.path),
               "a write goes to a kernel's file", write.path);
        demand(write.bytes.size() < 256, "no setting writes this much", write.bytes);
    }
    for (const auto& state : back.states) {
        demand(is_plain_path(state.attribute.path) && is_plain(state.attribute.path),
               "what proves it is a kernel's file", state.attribute.path);
    }
}

void check_entries(const Journal& journal) {
    for (const auto& transaction : journal.transactions) {
        for (const auto& [key, entry] : transaction.entries) {
            const Record record = entry_record(key, entry, second_format);
            const auto again = entry_of(record, second_format);
            demand(again && entry_record(key, *again, second_format) == record,
                   "an entry is read as it was written");
            check_rules(key, entry.back);
        }
    }
}

// As a command does: the torn end goes, and further lines come behind what is whole.
void check_continued(std::string_view bytes, Read found) {
    const auto size = found.text.journal().good_size;
    demand(size <= bytes.size(), "what is good is part of it");
    const std::string text = std::string(bytes.substr(0, size)) +
                             found.text.add({leave_record("nobody")}, "boot", second_format);
    const Read again = read(text, text.size());
    const bool short_of_lines = again.text.journal().least_lines > 0;
    demand(again.accepted() || short_of_lines, "a journal can be continued", text);
    demand(!again.accepted() || printed(again.text.journal()) == printed(found.text.journal()),
           "it says what was added", text);
}

std::set<Key> changed_keys(const Journal& journal) {
    std::set<Key> keys;
    for (const auto& transaction : journal.transactions) {
        for (const auto& [key, changed] : transaction.changed) {
            keys.insert(key);
        }
    }
    return keys;
}

// Returns the first value of each key, the value that each transaction left, and whether that was
// before another writer's value.
std::map<Key, Records> printed_by_key(const Journal& journal) {
    std::map<Key, Records> out;
    for (const auto& transaction : journal.transactions) {
        for (const auto& [key, changed] : transaction.changed) {
            const auto foreign = journal.foreign.find(key);
            const bool before =
                foreign != journal.foreign.end() && transaction.number <= foreign->second.begun;
            if (out[key].empty()) {
                out[key].push_back(entry_record(key, transaction.entries.at(key), second_format));
            }
            out[key].push_back(changed_record(key, changed));
            out[key].push_back({before ? "before" : "after"});
        }
    }
    return out;
}

// The compacted journal with every other key set apart: it says the same of each.
void check_set_apart(const Journal& compact) {
    std::set<Key> picked;
    bool alternate = false;
    for (const auto& key : changed_keys(compact)) {
        alternate = !alternate;
        if (alternate) {
            picked.insert(key);
        }
    }
    const auto apart =
        set_apart(compact, compact.format, [&](const Key& key) { return picked.contains(key); });
    JournalText fresh;
    const std::string text = fresh.add(apart.records, compact.boot_id, compact.format);
    const Read again = read(text, text.size());
    demand(again.accepted(), "a journal that is set apart is one", text);
    demand(printed_by_key(again.text.journal()) == printed_by_key(compact), "it says the same",
           text);
    for (const auto& transaction : again.text.journal().transactions) {
        const auto& all = apart.numbers;
        const bool alone = std::find(all.begin(), all.end(), transaction.number) != all.end();
        for (const auto& [key, changed] : transaction.changed) {
            demand(picked.contains(key) == alone, "what was picked stands alone", text);
        }
    }
}

void check_compacted(const Journal& journal) {
    const bool whole =
        std::all_of(journal.transactions.begin(), journal.transactions.end(),
                    [](const auto& each) { return each.ended && each.began_writing; });
    if (journal.reset_begun || !whole || journal.format == 0) {
        return;
    }
    JournalText fresh;
    const std::string text =
        fresh.add(compact_records(journal, journal.format), journal.boot_id, journal.format);
    const Read again = read(text, text.size());
    demand(again.accepted(), "a compacted journal is one", text);
    const Journal& after = again.text.journal();
    demand(changed_keys(after) == changed_keys(journal), "it has changed the same", text);
    JournalText twice;
    demand(twice.add(compact_records(after, after.format), after.boot_id, after.format).size() <=
               text.size(),
           "it does not grow when it is compacted again", text);
    if (after.holders.empty()) {
        check_set_apart(after);
    }
}

void check(std::string_view text, std::size_t piece) {
    const Read whole = read(text, text.size());
    const Read pieces = read(text, piece);
    demand(whole.accepted() == pieces.accepted() &&
               printed(whole.text.journal()) == printed(pieces.text.journal()),
           "pieces say what the whole does");
    check_entries(salvage(std::string(text) + "\n"));
    if (whole.error) {
        demand_message(*whole.error);
    }
    if (whole.accepted()) {
        check_entries(whole.text.journal());
        check_continued(text, whole);
        check_compacted(whole.text.journal());
    }
}

}  // namespace

}  // namespace journal_fuzz

void fuzz_journal(std::string_view bytes) {
    using namespace journal_fuzz;
    const std::size_t piece = bytes.size() % 61 + 1;
    check(bytes, piece);
    check(resealed(bytes), piece);
}

}  // namespace rocenv::fuzz
