// SPDX-License-Identifier: MIT
// A report's findings and facts; the rest is in report_reader.cpp.
#include "fleet/read/report_reader.h"

#include <algorithm>

#include "util/text.h"

namespace rocenv {

namespace {

// A word as a program may have it; of another text no more than that.
std::string plain_word(std::string_view word) {
    constexpr std::size_t longest = 20;
    const bool plain = !word.empty() && word.size() <= longest &&
                       std::all_of(word.begin(), word.end(), [](char byte) {
                           return (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_';
                       });
    return plain ? std::string(word) : "(no word)";
}

std::optional<Outcome> outcome_of_word(std::string_view word) {
    for (const auto outcome :
         {Outcome::ok, Outcome::na, Outcome::differs, Outcome::unknown, Outcome::hidden,
          Outcome::changed, Outcome::unsafe, Outcome::failed}) {
        if (outcome_word(outcome) == word) {
            return outcome;
        }
    }
    return std::nullopt;
}

std::optional<Reason> reason_of_word(std::string_view word) {
    for (const auto reason : {Reason::timeout, Reason::permission, Reason::asleep, Reason::garbled,
                              Reason::hidden, Reason::error}) {
        if (reason_word(reason) == word) {
            return reason;
        }
    }
    return std::nullopt;
}

}  // namespace

bool ReportReader::counters(JsonCursor& json, FleetFinding& row) {
    counts_.clear();
    json.enter('{');
    std::string_view name;
    while (json.key(name)) {
        FleetCount count{pools_.keep(name), 0};
        if (!json.number(count.count)) {
            return false;
        }
        counts_.push_back(count);
    }
    row.counters = pools_.texts->keep_list<FleetCount>(counts_);
    return json.good();
}

bool ReportReader::waived(JsonCursor& json, FleetFinding& row) {
    if (json.peek() == 'n') {
        return json.skip();  // null: it is not
    }
    row.waived = true;
    json.enter('{');
    std::string_view name;
    while (json.key(name)) {
        const bool good = name == "ticket"  ? kept(json, row.ticket)
                          : name == "until" ? kept(json, row.until)
                          : name == "why"   ? kept(json, row.waived_why)
                                            : json.skip();
        if (!good) {
            return false;
        }
    }
    return json.good();
}

// A level that nobody here knows may be one that counts.
bool ReportReader::level(JsonCursor& json, FleetFinding& row) {
    std::string_view word;
    if (!json.text(word)) {
        return false;
    }
    const auto known = level_of_word(word);
    row.level = known.value_or(Level::required);
    strange_ = strange_ || !known;
    if (!known) {
        strange_words_.insert("level " + plain_word(word));
    }
    return true;
}

bool ReportReader::outcome(JsonCursor& json, FleetFinding& row) {
    std::string_view word;
    if (!json.text(word)) {
        return false;
    }
    const auto known = outcome_of_word(word);
    row.outcome = known.value_or(Outcome::unknown);
    strange_ = strange_ || !known;
    if (!known) {
        strange_words_.insert("outcome " + plain_word(word));
    }
    return true;
}

// It is unknown all the same, whatever the reason is.
bool ReportReader::reason(JsonCursor& json, FleetFinding& row) {
    std::string_view word;
    if (!json.text(word)) {
        return false;
    }
    const auto known = reason_of_word(word);
    row.reason = known.value_or(Reason::error);
    if (!known) {
        strange_words_.insert("reason " + plain_word(word));
    }
    return true;
}

// What is null stands as empty.
bool ReportReader::text_or_empty(JsonCursor& json, std::string_view& into) {
    std::optional<std::string_view> text;
    const bool good = kept(json, text);
    into = text.value_or(pools_.keep(""));
    return good;
}

bool ReportReader::finding_member(JsonCursor& json, std::string_view name, FleetFinding& row,
                                  JsonMembers& seen) {
    if (name == "id") {
        return seen.is_new(0) && kept(json, row.id);
    }
    if (name == "target") {
        return seen.is_new(1) && kept(json, row.target);
    }
    if (name == "level") {
        return seen.is_new(2) && level(json, row);
    }
    if (name == "outcome") {
        return seen.is_new(3) && outcome(json, row);
    }
    if (name == "want") {
        return seen.is_new(4) && kept(json, row.want);
    }
    if (name == "have") {
        return seen.is_new(5) && kept(json, row.have);
    }
    if (name == "detail") {
        return seen.is_new(6) && kept(json, row.detail);
    }
    if (name == "fix") {
        return seen.is_new(7) && text_or_empty(json, row.fix);
    }
    if (name == "reason") {
        return seen.is_new(8) && reason(json, row);
    }
    if (name == "counters") {
        return seen.is_new(9) && counters(json, row);
    }
    if (name == "code") {
        return seen.is_new(11) && text_or_empty(json, row.code);
    }
    return name == "waived" ? seen.is_new(10) && waived(json, row) : json.skip();
}

bool ReportReader::finding(JsonCursor& json) {
    const auto none = pools_.keep("");
    FleetFinding row;
    row.code = row.detail = row.fix = row.ticket = row.until = row.waived_why = none;
    strange_ = false;
    cleaner_.start_row();
    json.enter('{');
    JsonMembers seen;
    std::string_view name;
    while (json.key(name)) {
        if (!finding_member(json, name, row, seen)) {
            return json.fail();
        }
    }
    constexpr unsigned id_target_level_outcome = 0xf;
    if (!json.good() || !seen.has(id_target_level_outcome)) {
        return json.fail();
    }
    row_.judged = true;
    row.outcome = strange_ ? Outcome::unknown : row.outcome;
    cleaner_.clean(row);
    if (filter_.takes(row.id)) {
        findings_.push_back(pools_.findings.keep(row));
    }
    return true;
}

bool ReportReader::findings(JsonCursor& json) {
    has_findings_ = true;
    json.enter('[');
    while (json.element()) {
        if (!finding(json)) {
            return false;
        }
    }
    return json.good();
}

bool ReportReader::fact(JsonCursor& json) {
    FleetFact row;
    row.reason = pools_.keep("");
    cleaner_.start_row();
    json.enter('{');
    JsonMembers seen;
    std::string_view name;
    while (json.key(name)) {
        const bool good = name == "id"       ? seen.is_new(0) && kept(json, row.id)
                          : name == "target" ? seen.is_new(1) && kept(json, row.target)
                          : name == "value"  ? seen.is_new(2) && kept(json, row.value)
                          : name == "reason" ? seen.is_new(3) && kept(json, row.reason)
                                             : json.skip();
        if (!good) {
            return json.fail();
        }
    }
    constexpr unsigned id_target_value = 0x7;
    if (!json.good() || !seen.has(id_target_value)) {
        return json.fail();
    }
    cleaner_.clean(row);
    if (filter_.takes_fact(row.id)) {
        facts_.push_back(pools_.facts.keep(row));
    }
    return true;
}

bool ReportReader::fact_values(JsonCursor& json) {
    json.enter('[');
    while (json.element()) {
        if (!fact(json)) {
            return false;
        }
    }
    return json.good();
}

bool ReportReader::facts(JsonCursor& json) {
    row_.has_facts = true;
    json.enter('{');
    std::string_view name;
    while (json.key(name)) {
        if (!(name == "values" ? fact_values(json) : json.skip())) {
            return false;
        }
    }
    return json.good();
}

}  // namespace rocenv
