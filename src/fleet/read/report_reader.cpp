// SPDX-License-Identifier: MIT
#include "fleet/read/report_reader.h"

#include <algorithm>

#include "fleet/read/report_time.h"
#include "os/redact/redact.h"
#include "util/credentials.h"
#include "util/exit_status.h"
#include "util/letters.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view known_schema = "rocenv.report/1";

// "rocenv.report/2"; of another no more than that.
std::string told_schema(std::string_view schema) {
    constexpr std::string_view ours = "rocenv.";
    const auto name = schema.substr(ours.size());
    const auto version = name.substr(std::min(name.find('/'), name.size()));
    const bool plain =
        version.size() > 1 && parse_number(version.substr(1)) &&
        contains_word("report status fleet set reset explain profile.show profile.diff topo",
                      name.substr(0, name.size() - version.size()));
    return plain ? std::string(schema) : "another schema of rocenv";
}

std::string told_command(std::string_view command) {
    return contains_word("set reset status topo fleet explain occupancy", command)
               ? "rocenv " + std::string(command)
               : "another command";
}

}  // namespace

bool ReportReader::kept(JsonCursor& json, std::string_view& into) {
    std::string_view text;
    if (!json.text(text)) {
        return false;
    }
    into = pools_.keep(text);
    return true;
}

// Of members whose texts nothing restricts.
bool ReportReader::kept_clean(JsonCursor& json, std::string_view& into) {
    std::string_view text;
    if (!json.text(text)) {
        return false;
    }
    into = pools_.keep(redact_text(text, HostName::none(), Dotted::version));
    return true;
}

bool ReportReader::kept(JsonCursor& json, std::optional<std::string_view>& into) {
    if (!json.text_or_null(into)) {
        return false;
    }
    if (into) {
        into = pools_.keep(*into);
    }
    return true;
}

bool ReportReader::node(JsonCursor& json) {
    json.enter('{');
    JsonMembers seen;
    std::string_view name;
    while (json.key(name)) {
        const bool good = name == "hostname"    ? seen.is_new(0) && kept_clean(json, out_.node)
                          : name == "boot_id"   ? seen.is_new(1) && kept(json, out_.boot_id)
                          : name == "kernel"    ? seen.is_new(2) && kept_clean(json, row_.kernel)
                          : name == "container" ? seen.is_new(3) && json.boolean(row_.container)
                                                : json.skip();
        if (!good) {
            return json.fail();
        }
    }
    cleaner_.of_node(out_.node);
    return json.good();
}

bool ReportReader::joined(JsonCursor& json, std::string_view separator, std::string_view& into) {
    std::string all;
    json.enter('[');
    while (json.element()) {
        std::string_view name;
        if (!json.text(name)) {
            return false;
        }
        all += (all.empty() ? "" : std::string(separator)) + std::string(name);
    }
    into = pools_.keep(redact_text(all, HostName::none(), Dotted::version));
    return json.good();
}

bool ReportReader::profile_digest(JsonCursor& json) {
    std::optional<std::string_view> digest;
    const bool good = kept(json, digest);
    const bool plain = digest && digest->size() <= 64 &&
                       std::all_of(digest->begin(), digest->end(), is_letter_or_digit);
    row_.profile_digest = plain ? *digest : pools_.keep("");
    return good;
}

// Fractions of a second are left out, so that times sort as text.
bool ReportReader::time(JsonCursor& json) {
    std::string_view text;
    if (!json.text(text)) {
        return false;
    }
    out_.time = pools_.keep(whole_seconds(text));
    return true;
}

bool ReportReader::setting(JsonCursor& json, std::string_view id) {
    auto [told, is_new] = pools_.settings.try_emplace(id.data());
    if (!is_new && told->second.at >= out_.time) {
        return json.skip();
    }
    FleetSetting setting;
    setting.id = id;
    json.enter('{');
    std::string_view name;
    while (json.key(name)) {
        const bool good = name == "why"       ? kept(json, setting.why)
                          : name == "source"  ? kept(json, setting.source)
                          : name == "persist" ? kept(json, setting.persist)
                                              : json.skip();
        if (!good) {
            return false;
        }
    }
    told->second = {cleaner_.clean(setting), out_.time};
    return json.good();
}

bool ReportReader::settings(JsonCursor& json) {
    json.enter('{');
    std::string_view id;
    while (json.key(id)) {
        if (!setting(json, pools_.keep(without_credentials(id)))) {
            return false;
        }
    }
    return json.good();
}

bool ReportReader::schema(JsonCursor& json) {
    if (!schema_.empty() || !kept(json, schema_)) {
        return false;
    }
    is_of_rocenv_ = schema_.starts_with("rocenv.");
    if (schema_ != known_schema) {
        fault_ = is_of_rocenv_ ? "is " + told_schema(schema_) + ", not " + std::string(known_schema)
                               : "is not a report of rocenv check";
        schema_ = pools_.keep("");
        return false;
    }
    return true;
}

bool ReportReader::exit_member(JsonCursor& json) {
    std::uint64_t status = 0;
    has_exit_ = json.number(status);
    row_.exit_code = static_cast<int>(status);
    return has_exit_ && (status == exit_ok || status == exit_differs || status == exit_unknown);
}

bool ReportReader::member(JsonCursor& json, std::string_view name, JsonMembers& seen) {
    if (name == "schema") {
        return seen.is_new(0) && schema(json);
    }
    if (name == "version") {
        return seen.is_new(1) && kept_clean(json, row_.version);
    }
    if (name == "command") {
        return seen.is_new(2) && kept(json, command_);
    }
    if (name == "profile") {
        return seen.is_new(3) && joined(json, " + ", row_.profiles);
    }
    if (name == "profile_digest") {
        return seen.is_new(4) && profile_digest(json);
    }
    if (name == "time") {
        return seen.is_new(5) && time(json);
    }
    if (name == "result") {
        return seen.is_new(6) && kept(json, row_.result);
    }
    if (name == "exit") {
        return seen.is_new(7) && exit_member(json);
    }
    return part(json, name, seen);
}

bool ReportReader::part(JsonCursor& json, std::string_view name, JsonMembers& seen) {
    return name == "node"       ? seen.is_new(8) && node(json)
           : name == "settings" ? seen.is_new(9) && settings(json)
           : name == "findings" ? seen.is_new(10) && findings(json)
           : name == "facts"    ? seen.is_new(11) && facts(json)
                                : asked(json, name, seen);
}

// What the check was asked for beside its profile.
bool ReportReader::asked(JsonCursor& json, std::string_view name, JsonMembers& seen) {
    return name == "only"     ? seen.is_new(12) && joined(json, ",", row_.only)
           : name == "skip"   ? seen.is_new(13) && joined(json, ",", row_.skip)
           : name == "scope"  ? seen.is_new(14) && kept_clean(json, row_.scope)
           : name == "strict" ? seen.is_new(15) && json.boolean(row_.strict)
                              : json.skip();
}

bool ReportReader::read_members(JsonCursor& json) {
    JsonMembers seen;
    std::string_view name;
    json.enter('{');
    while (json.key(name)) {
        part_ = name == "findings" || name == "facts" || name == "settings" || name == "node"
                    ? pools_.keep(name)
                    : std::string_view();
        if (!member(json, name, seen)) {
            return json.fail();
        }
    }
    part_ = {};
    return json.good();
}

// What it lacks, if anything.
std::string ReportReader::lack() const {
    return !has_findings_ || !has_exit_  ? "has no findings or no exit status"
           : out_.node.empty()           ? "names no node (check --node NAME)"
           : !seconds_of_time(out_.time) ? "has no time, or none of the form "
                                           "2026-11-20T19:31:00Z"
                                         : "";
}

void ReportReader::finish() {
    row_.findings = pools_.texts->keep_list<FleetIndex>(findings_);
    row_.facts = pools_.texts->keep_list<FleetIndex>(facts_);
    filter_.all() ? hold_against_findings(row_, pools_) : judge_again(row_, pools_);
    row_.lapsed = lapse_waivers(findings_, pools_, out_.time, today_);
    if (row_.lapsed) {
        row_.findings = pools_.texts->keep_list<FleetIndex>(findings_);
        judge_lapsed(row_, pools_);
    }
    out_.report = pools_.reports.keep(row_);
}

void ReportReader::start() {
    const auto none = pools_.keep("");
    cleaner_.start();
    out_ = {none, none, none, 0};
    row_ = FleetReport();
    row_.judged = false;
    row_.version = row_.profiles = row_.profile_digest = row_.kernel = row_.result = none;
    row_.only = row_.skip = row_.scope = row_.because = none;
    strange_words_.clear();
    findings_.clear();
    facts_.clear();
    part_ = schema_ = command_ = {};
    has_exit_ = has_findings_ = is_of_rocenv_ = false;
    fault_.clear();
}

ReadEnd ReportReader::broken(const JsonCursor& json) {
    if (json.ran_out()) {
        return ReadEnd::ran_out;
    }
    if (schema_.empty()) {
        fault_ = fault_.empty() ? "is not a report of rocenv check" : fault_;
        return ReadEnd::foreign;
    }
    fault_ = "is garbled" + (part_.empty() ? std::string() : " in its " + std::string(part_));
    return ReadEnd::broken;
}

ReadEnd ReportReader::read(std::string_view text) {
    start();
    JsonCursor json(text);
    const bool whole = read_members(json);
    size_ = json.position();
    if (!whole) {
        return broken(json);
    }
    if (!schema_.empty() && command_.empty()) {
        fault_ = "does not name its command";
        return ReadEnd::broken;
    }
    if (schema_.empty() || command_ != "check") {
        fault_ = schema_.empty() ? "is not a report of rocenv check"
                                 : "is a report of " + told_command(command_) + ", not of check";
        return ReadEnd::foreign;
    }
    fault_ = lack();
    if (!fault_.empty()) {
        return ReadEnd::broken;
    }
    finish();
    return ReadEnd::whole;
}

// A report's findings and facts; the rest is in report_reader.cpp.

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

bool ReportReader::cause(JsonCursor& json, FleetFinding& row) {
    json.enter('{');
    std::string_view name;
    while (json.key(name)) {
        const bool good = name == "id"       ? kept(json, row.cause_id)
                          : name == "target" ? kept(json, row.cause_target)
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
    const auto known = value_of<Level>(word);
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
    const auto known = value_of<Outcome>(word);
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
    const auto known = value_of<Reason>(word);
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
    if (name == "cause") {
        return seen.is_new(12) && (json.peek() == 'n' ? json.skip() : cause(json, row));
    }
    return name == "waived" ? seen.is_new(10) && waived(json, row) : json.skip();
}

bool ReportReader::finding(JsonCursor& json) {
    const auto none = pools_.keep("");
    FleetFinding row;
    row.code = row.detail = row.fix = row.ticket = row.until = row.waived_why = none;
    row.cause_id = row.cause_target = none;
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
