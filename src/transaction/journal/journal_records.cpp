// SPDX-License-Identifier: MIT
// Grammar: each record is a kind and its fields.
//
//   boot ID                                  of the boot it was begun in; empty under --sysroot
//   whole LINES                              the file was written at once and has at least as many
//   begin NUMBER TIME USER HOLD ENTRIES      a set
//   entry ID TARGET SHOWN [IDENTITY] STATES {CODEC PATH OFFSET VALUE LOST}… {PATH OFFSET BYTES}…
//   wanted ID TARGET SHOWN                   of a hold
//   writing                                  all of its entries are above
//   changed ID TARGET SHOWN yes|no VALUE…    yes: wanted, no: a side effect; no VALUE: unread
//   unwanted ID TARGET                       of a hold: this could not be set
//   end                                      of the set
//   leave HOLD
//   undone NUMBER
//   reset NUMBER…                            these may have been put back; none: all of them
//   settled ID TARGET NUMBER…                of these: it is back, or was accepted
//   foreign ID TARGET SHOWN                  left alone as someone else's
//   rest                                     the reset is over
//
// OFFSET is empty for the file as a whole. In the first format an entry has no IDENTITY, and a
// transaction records only entries that differ from what the one before it recorded; in the second
// each records all that it found.
//
// Whoever adds a kind or a field raises the format: programs of before 2026-11-23 take such a line
// for damage, later ones for a newer program's.
#include "transaction/journal/journal_grammar.h"

#include <algorithm>
#include <array>
#include <cstdint>

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

// How many fields a record of this kind has.
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

Record wanted_record(const Key& key, const std::string& shown) {
    return {"wanted", key.id, key.target, shown};
}

Record writing_record() {
    return {"writing"};
}

Record changed_record(const Key& key, const Changed& changed) {
    Record fields{"changed", key.id, key.target, changed.shown, changed.wanted ? "yes" : "no"};
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

Record settled_record(const Key& key, const std::vector<std::size_t>& transactions) {
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

}  // namespace rocenv
