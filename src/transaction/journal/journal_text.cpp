// SPDX-License-Identifier: MIT
// A journal's text: read in pieces, continued, and what is left of it when it is damaged.
#include <algorithm>
#include <map>

#include "transaction/journal/journal_grammar.h"
#include "util/text.h"

namespace rocenv {

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

// Nothing of it may be taken for damage: what this program cannot read is not lost.
Error newer_program(const std::string& what) {
    return {ErrorKind::bad_input, 0, "",
            "the journal was written by a newer rocenv (" + what + "): use that version"};
}

// Of a newer program's first line, which is whole by its sum. One that was damaged is none.
bool is_newer_format(std::string_view format, std::string_view line) {
    constexpr std::uint64_t highest = 1000000;
    const auto value = parse_number(format);
    return value && *value > second_format && *value <= highest &&
           first_line(static_cast<int>(*value)) == std::string(line) + "\n";
}

// What the first line names, when it is none of ours. Nothing: it is a damaged one of ours, or of
// no journal.
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

// Lines of a damaged text that can be trusted, by their serial number or, in the first format, by
// their place.
struct Pieces {
    int format = first_format;
    std::map<std::uint64_t, Line> lines;
    std::vector<std::string> faults;
};

Pieces pieces_in(const std::vector<std::string_view>& texts, int format) {
    Pieces out;
    out.format = format;
    std::uint64_t next = 1;  // the serial number that the next line should have
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

// A few sentences say enough.
std::vector<std::string> told(std::vector<std::string> faults) {
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
    texts.pop_back();  // what stands behind the last line end: nothing, or a torn line
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
    reader.journal.damage = told(pieces.faults);
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
    // Of the first line the salvage says nothing.
    const std::string first = error ? first_line_damaged : text.journal().damage.front();
    if (left.damage.empty() || first == first_line_damaged) {
        left.damage.insert(left.damage.begin(), first);
    }
    return left;
}

}  // namespace rocenv
