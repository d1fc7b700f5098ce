// SPDX-License-Identifier: MIT
#include "fleet/read/report_reader.h"

#include <algorithm>

#include "os/redact/redact.h"
#include "report/model/read.h"
#include "util/credentials.h"
#include "util/exit_status.h"
#include "util/text.h"
#include "util/utc_time.h"

namespace rocenv {

namespace {

// Returns a schema of this program, "rocenv.report/2"; other texts are not shown.
std::string schema_text(std::string_view schema) {
    constexpr std::string_view ours = "rocenv.";
    const auto name = schema.substr(ours.size());
    const auto version = name.substr(std::min(name.find('/'), name.size()));
    const bool plain =
        version.size() > 1 && parse_number(version.substr(1)) &&
        contains_word("report status fleet set reset explain profile.show profile.diff topo",
                      name.substr(0, name.size() - version.size()));
    return plain ? std::string(schema) : "another schema of rocenv";
}

std::string command_text(std::string_view command) {
    return contains_word("set reset status topo fleet explain occupancy", command)
               ? "rocenv " + std::string(command)
               : "another command";
}

// Returns the fault of a report in which a member has another type or value than a report has, or
// is there twice. An unknown member is not named.
std::string garbled(const std::string& member) {
    return member.empty() ? "is garbled" : "is garbled in its " + member;
}

bool is_digest(std::string_view text) {
    return text.size() <= 64 && std::all_of(text.begin(), text.end(), is_letter_or_digit);
}

// Returns whether `fleet` uses a member of a report.
bool is_needed(std::string_view member) {
    return member != "identities" && member != "since" && member != "summary";
}

std::span<const FleetCount> kept(const Counters& counters, FleetPools& pools) {
    std::vector<FleetCount> counts;
    for (const auto& [name, count] : counters) {
        if (count > 0) {
            counts.push_back({pools.keep(name), count});
        }
    }
    return pools.texts->keep_list<FleetCount>(counts);
}

std::optional<std::string_view> kept(const std::optional<std::string>& text, FleetPools& pools) {
    return text ? std::optional(pools.keep(*text)) : std::nullopt;
}

FleetFinding kept(const Finding& finding, FleetPools& pools) {
    const auto none = pools.keep("");
    FleetFinding out;
    out.id = pools.keep(finding.id);
    out.target = pools.keep(finding.target);
    out.level = finding.level;
    out.outcome = finding.outcome;
    out.reason = finding.outcome == Outcome::unknown ? finding.reason : Reason::error;
    out.expected = kept(finding.expected, pools);
    out.have = kept(finding.have, pools);
    out.code = pools.keep(finding.code);
    out.detail = pools.keep(finding.detail);
    out.fix = pools.keep(finding.fix);
    out.waived = finding.waived.has_value();
    out.ticket = out.waived ? pools.keep(finding.waived->ticket) : none;
    out.until = out.waived ? pools.keep(finding.waived->until) : none;
    out.waived_why = out.waived ? pools.keep(finding.waived->why) : none;
    out.cause_id = finding.cause ? pools.keep(finding.cause->id) : none;
    out.cause_target = finding.cause ? pools.keep(finding.cause->target) : none;
    out.counters = kept(finding.counters, pools);
    return out;
}

}  // namespace

// Returns whether no newer or equally new report has the texts of an id.
bool ReportReader::is_newest_setting(std::string_view id) {
    const auto known = pools_.settings.find(pools_.keep(without_credentials(id)).data());
    return known == pools_.settings.end() || known->second.at < whole_seconds(read_.time);
}

// Returns what is missing in a report, or an empty text.
std::string ReportReader::lack(const JsonReading& reading) const {
    return !reading.missing.empty()                  ? "has no findings or no exit status"
           : trim(read_.node.hostname).empty()       ? "names no node (check --node NAME)"
           : !is_utf8(read_.node.hostname)           ? "has a node name that is not UTF-8"
           : !utc_seconds(whole_seconds(read_.time)) ? "has no time, or none of the form "
                                                       "2026-11-20T19:31:00Z"
                                                     : "";
}

ReadEnd ReportReader::broken(const JsonReading& reading) {
    if (reading.json.ran_out()) {
        return ReadEnd::ran_out;
    }
    if (!is_report_) {
        fault_ = is_of_rocenv_ ? "is " + schema_text(reading.other) + ", not rocenv.report/1"
                               : "is not a report of rocenv check";
        return ReadEnd::foreign;
    }
    fault_ = garbled(reading.part);
    return ReadEnd::broken;
}

ReadEnd ReportReader::read(std::string_view text) {
    fault_.clear();
    JsonReading reading(text);
    reading.selects = [this](std::string_view member, std::string_view key) {
        return member == "settings" ? is_newest_setting(key) : is_needed(member);
    };
    const bool whole = read_report(reading, read_);
    size_ = reading.json.position();
    is_report_ = reading.is_known;
    is_of_rocenv_ = is_report_ || reading.other.starts_with("rocenv.");
    strange_words_ = {reading.strange.begin(), reading.strange.end()};
    if (!is_known_scope(read_.scope)) {
        strange_words_.insert("scope " + strange_word(read_.scope));
    }
    if (!reading.json.good() || (!whole && reading.missing.empty())) {
        return broken(reading);
    }
    if (!is_report_ || (!read_.command.empty() && read_.command != "check")) {
        fault_ = is_report_ ? "is a report of " + command_text(read_.command) + ", not of check"
                            : "is not a report of rocenv check";
        return ReadEnd::foreign;
    }
    const bool is_status = read_.exit_code == exit_ok || read_.exit_code == exit_differs ||
                           read_.exit_code == exit_unknown;
    fault_ = read_.command.empty() ? "does not name its command"
             : !is_status          ? garbled("exit")
                                   : lack(reading);
    if (!fault_.empty()) {
        return ReadEnd::broken;
    }
    out_ = keep(read_, false);
    return ReadEnd::whole;
}

ReadReport ReportReader::take(const Report& recording) {
    return keep(recording, true);
}

// Returns a text of a member that may hold any text, cleaned and kept.
std::string_view ReportReader::kept_clean(std::string_view text, bool recording) {
    return pools_.keep(recording ? std::string(text)
                                 : redact_text(text, HostName::none(), Dotted::version));
}

void ReportReader::keep_settings(const Report& report, std::string_view time, bool recording) {
    for (const auto& [id, note] : report.settings) {
        const auto kept_id = pools_.keep(recording ? id : without_credentials(id));
        const FleetSetting setting{kept_id, pools_.keep(note.why), pools_.keep(note.source),
                                   pools_.keep(note.persist)};
        auto [known, is_new] = pools_.settings.try_emplace(kept_id.data());
        if (is_new || recording || known->second.at < time) {
            known->second = {recording ? setting : cleaner_.clean(setting), time};
        }
    }
}

std::vector<FleetIndex> ReportReader::keep_findings(const Report& report, bool recording) {
    std::vector<FleetIndex> out;
    out.reserve(report.findings.size());
    for (const auto& finding : report.findings) {
        cleaner_.start_row();
        FleetFinding row = kept(finding, pools_);
        if (!recording) {
            cleaner_.clean(row);
        }
        if (filter_.accepts(row.id)) {
            out.push_back(pools_.findings.keep(row));
        }
    }
    return out;
}

std::vector<FleetIndex> ReportReader::keep_facts(const FactSheet& sheet, bool recording) {
    std::vector<FleetIndex> out;
    out.reserve(sheet.facts.size());
    for (const auto& fact : sheet.facts) {
        cleaner_.start_row();
        const auto reason = fact.value ? std::string_view() : word_of(fact.reason);
        FleetFact row{pools_.keep(fact.id), pools_.keep(fact.target), kept(fact.value, pools_),
                      pools_.keep(reason)};
        if (!recording) {
            cleaner_.clean(row);
        }
        if (filter_.accepts_fact(row.id)) {
            out.push_back(pools_.facts.keep(row));
        }
    }
    return out;
}

ReadReport ReportReader::keep(const Report& report, bool recording) {
    const auto clean = [&](std::string_view text) { return kept_clean(text, recording); };
    const auto time = pools_.keep(whole_seconds(report.time));
    const ReadReport out{pools_.keep(report.node.hostname), time, pools_.keep(report.node.boot_id),
                         0};
    cleaner_.start();
    cleaner_.of_node(out.node);
    FleetReport row;
    row.version = clean(recording ? ROCENV_VERSION : report.version);
    row.profiles = clean(join(report.profiles, " + "));
    row.profile_digest = pools_.keep(is_digest(report.profile_digest) ? report.profile_digest : "");
    row.kernel = clean(report.node.kernel);
    row.result = pools_.keep(report.result);
    row.exit_code = report.exit_code;
    row.only = clean(join(report.only, ","));
    row.skip = clean(join(report.skip, ","));
    row.scope = clean(report.scope);
    row.because = row.beside = pools_.keep("");
    row.strict = report.strict == Strict::yes;
    row.deadline_reached = report.deadline_reached;
    row.container = report.node.container;
    row.recording = recording;
    row.has_facts = report.facts.has_value();
    row.has_findings = !report.findings.empty();
    keep_settings(report, time, recording);
    auto findings = keep_findings(report, recording);
    row.judged = !findings.empty();
    if (report.facts) {
        row.facts = pools_.texts->keep_list<FleetIndex>(keep_facts(*report.facts, recording));
    }
    row.findings = pools_.texts->keep_list<FleetIndex>(findings);
    filter_.all() ? hold_against_findings(row, pools_) : judge_again(row, pools_);
    row.lapsed = lapse_waivers(findings, pools_, time, today_);
    if (row.lapsed) {
        row.findings = pools_.texts->keep_list<FleetIndex>(findings);
        judge_lapsed(row, pools_);
    }
    return {out.node, out.time, out.boot_id, pools_.reports.keep(row)};
}

}  // namespace rocenv
