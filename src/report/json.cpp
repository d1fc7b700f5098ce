// SPDX-License-Identifier: MIT
#include <algorithm>

#include "print/json_writer.h"
#include "report/consequences.h"
#include "report/message.h"
#include "report/render.h"
#include "settings/have_codes.h"
#include "transaction/set.h"
#include "util/text.h"

namespace rocenv {

namespace {

enum class Tells { state, way_back };  // check only compares, set and reset also write

void write_waived(JsonWriter& json, const Waived& waived) {
    json.open_object("waived");
    json.text("ticket", waived.ticket);
    json.text("until", waived.until);
    json.text("why", waived.why);
    json.close_object();
}

// Of what is prose.
void write_code(JsonWriter& json, const Finding& finding) {
    const std::string code = finding.have ? have_code(finding.id, *finding.have) : "";
    if (!code.empty()) {
        json.text("code", code);
    }
}

// Those above 0.
void write_counters(JsonWriter& json, const Counters& counters) {
    const bool any = std::any_of(counters.begin(), counters.end(),
                                 [](const auto& each) { return each.second > 0; });
    if (!any) {
        return;
    }
    json.open_object("counters");
    for (const auto& [name, count] : counters) {
        if (count > 0) {
            json.integer(name, count);
        }
    }
    json.close_object();
}

void write_finding(JsonWriter& json, const Report& report, const Finding& finding, Tells tells,
                   DryRun dry_run) {
    json.open_object();
    json.text("id", finding.id);
    json.text("target", finding.target);
    json.text("level", word_of(finding.level));
    json.text("outcome", word_of(finding.outcome));
    if (finding.outcome == Outcome::unknown) {
        json.text("reason", word_of(finding.reason));
    }
    json.text_or_null("want", finding.want);
    json.text_or_null("have", finding.have);
    write_code(json, finding);
    if (tells == Tells::way_back) {
        json.text_or_null("was", finding.was);
        json.text_or_null("put_back", finding.put_back == PutBack::none
                                          ? std::nullopt
                                          : std::optional(std::string(word_of(finding.put_back))));
    }
    if (finding.id.starts_with("env.")) {
        json.text_or_null("effective", finding.effective);
    }
    if (finding.cause) {
        json.open_object("cause");
        json.text("id", finding.cause->id);
        json.text("target", finding.cause->target);
        json.close_object();
    }
    if (!is_quiet(finding.outcome) && finding.outcome != Outcome::changed) {
        const Remedy remedy = remedy_of(report, finding);
        json.text("action", word_of(remedy.action));
        json.text("jobs", word_of(remedy.jobs));
    }
    if (finding.devices) {
        json.integer("devices", std::uint64_t{finding.devices->visible});
        json.integer("devices_total", std::uint64_t{finding.devices->total});
    }
    if (finding.counted) {
        json.integer("count", std::uint64_t{finding.count});
    }
    write_counters(json, finding.counters);
    if (finding.waived) {
        write_waived(json, *finding.waived);
    }
    if (finding.outcome != Outcome::ok) {
        json.text("message", finding_message(finding, dry_run));
    }
    json.text("detail", finding.detail);
    json.text_or_null("fix", finding.fix.empty() ? std::optional<std::string>() : finding.fix);
    if (tells == Tells::state && finding.outcome != Outcome::ok) {
        json.text("fingerprint", finding_fingerprint(report, finding));
    }
    json.close_object();
}

void write_head(JsonWriter& json, const Report& report) {
    json.text("schema", "rocenv.report/1");
    json.text("version", ROCENV_VERSION);
    json.text("command", report.command);
    json.open_array("profile");
    for (const auto& name : report.profiles) {
        json.text("", name);
    }
    json.close_array();
    json.text_or_null("profile_digest", report.profile_digest.empty()
                                            ? std::optional<std::string>()
                                            : std::optional(report.profile_digest));
    json.text("root", report.root);
    json.text("time", report.time);
    json.open_object("node");
    json.text("hostname", report.node.hostname);
    json.text("boot_id", report.node.boot_id);
    json.text("kernel", report.node.kernel);
    json.boolean("container", report.node.container);
    json.close_object();
    json.text("result", report.result);
    json.integer("exit", static_cast<std::uint64_t>(report.exit_code));
}

void write_planned(JsonWriter& json, const PlannedWrite& planned) {
    std::string bytes;
    for (const char byte : planned.write.bytes) {
        bytes += bare_hex(static_cast<unsigned char>(byte), 2);
    }
    json.open_object();
    json.text("id", planned.key.id);
    json.text("target", planned.key.target);
    json.text("path", planned.write.path);
    json.integer_or_null("offset", planned.write.offset);
    json.text("bytes", bytes);
    json.close_object();
}

// Of a fact or an identity: its value, or why there is none.
template <class Told>
void write_value(JsonWriter& json, const Told& told) {
    json.text_or_null("value", told.value);
    if (!told.value) {
        json.text("reason", word_of(told.reason));
        json.text("detail", told.detail);
    }
}

void write_facts(JsonWriter& json, const FactSheet& sheet) {
    json.open_object("facts");
    json.text("fingerprint", sheet.fingerprint);
    json.integer("unread", std::uint64_t{sheet.unread});
    json.open_array("values");
    for (const auto& fact : sheet.facts) {
        json.open_object();
        json.text("id", fact.id);
        json.text("target", fact.target);
        write_value(json, fact);
        json.close_object();
    }
    json.close_array();
    json.close_object();
}

void write_identities(JsonWriter& json, const std::vector<ReportIdentity>& identities) {
    json.open_array("identities");
    for (const auto& identity : identities) {
        json.open_object();
        json.text("target", identity.target);
        json.text("name", identity.name);
        write_value(json, identity);
        json.close_object();
    }
    json.close_array();
}

void write_comparison(JsonWriter& json, const Comparison& since) {
    json.open_object("since");
    json.text("time", since.time);
    if (since.same_boot == SameBoot::not_known) {
        json.null("same_boot");
    } else {
        json.boolean("same_boot", since.same_boot == SameBoot::yes);
    }
    if (!since.changed) {
        json.null("changed");
    } else {
        json.open_array("changed");
        for (const auto& fact : *since.changed) {
            json.open_object();
            json.text("id", fact.id);
            json.text("target", fact.target);
            json.text_or_null("was", fact.was);
            json.text_or_null("now", fact.now);
            json.close_object();
        }
        json.close_array();
    }
    json.close_object();
}

void write_list(JsonWriter& json, std::string_view key, const std::vector<std::string>& words) {
    if (!words.empty()) {
        json.open_array(key);
        for (const auto& word : words) {
            json.text("", word);
        }
        json.close_array();
    }
}

// What a check was asked for beside its profile; what was not is left out.
void write_asked(JsonWriter& json, const Report& report) {
    write_list(json, "only", report.only);
    write_list(json, "skip", report.skip);
    if (!report.scope.empty()) {
        json.text("scope", report.scope);
    }
    if (report.strict == Strict::yes) {
        json.boolean("strict", true);
    }
}

void write_summary(JsonWriter& json, const Report& report) {
    json.open_object("summary");
    for (const auto& [outcome, count] : report.summary) {
        json.integer(outcome, std::uint64_t{count});
    }
    json.close_object();
    json.open_array("notes");
    for (const auto& note : report.notes) {
        json.text("", note);
    }
    json.close_array();
}

void write_settings(JsonWriter& json, const Report& report) {
    json.open_object("settings");
    for (const auto& [id, note] : report.settings) {
        json.open_object(id);
        json.text("why", note.why);
        json.text("source", note.source);
        json.text("persist", note.persist);
        json.close_object();
    }
    json.close_object();
}

// `writes`: those a dry run would make.
std::string write(const Report& report, JsonLayout layout,
                  const std::vector<PlannedWrite>* writes = nullptr) {
    JsonWriter json(layout);
    json.open_object();
    write_head(json, report);
    write_asked(json, report);
    write_summary(json, report);
    write_settings(json, report);
    const Tells tells = report.command == "check" ? Tells::state : Tells::way_back;
    const DryRun dry_run = writes == nullptr ? DryRun::no : DryRun::yes;
    json.open_array("findings");
    for (const auto& finding : report.findings) {
        write_finding(json, report, finding, tells, dry_run);
    }
    json.close_array();
    if (report.facts) {
        write_facts(json, *report.facts);
    }
    if (report.identities) {
        write_identities(json, *report.identities);
    }
    if (report.since) {
        write_comparison(json, *report.since);
    }
    if (writes != nullptr) {
        json.open_array("writes");
        for (const auto& planned : *writes) {
            write_planned(json, planned);
        }
        json.close_array();
    }
    json.close_object();
    return json.finish();
}

}  // namespace

std::string render_json(const Report& report) {
    return write(report, JsonLayout::indented);
}

std::string render_jsonl(const Report& report) {
    return write(report, JsonLayout::one_line);
}

std::string render_set_json(const SetResult& result, DryRun dry_run) {
    return write(result.report, JsonLayout::indented,
                 dry_run == DryRun::yes ? &result.writes : nullptr);
}

}  // namespace rocenv
