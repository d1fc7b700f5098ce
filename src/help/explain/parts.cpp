// SPDX-License-Identifier: MIT
#include "help/explain/parts.h"

#include <algorithm>

#include "help/explain/render.h"
#include "report/entries.h"
#include "report/finding_lines.h"
#include "report/model/consequences.h"
#include "util/text.h"
#include "variables/parsers/parsers.h"

namespace rocenv {

namespace {

void add_field(Document& out, std::string_view label, std::string_view text) {
    if (!text.empty()) {
        out.field(std::string(label), std::string(text));
    }
}

// Adds each text, with the label of the first alone.
void add_fields(Document& out, std::string_view label, const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        add_field(out, &text == &texts.front() ? label : "", text);
    }
}

// Adds "NAME, a variable of RCCL", and what it is.
void add_head(Document& out, const std::string& name, const std::string& kind,
              std::string_view sentence) {
    out.blank();
    out.title(name, ", " + kind);
    if (!sentence.empty()) {
        out.under(std::string(sentence));
    }
}

}  // namespace

std::string joined_texts(const std::vector<std::string>& texts) {
    std::string out;
    for (const auto& text : texts) {
        out += (out.empty() ? "" : ", ") + (text.empty() ? "(empty)" : text);
    }
    return out;
}

namespace {

std::string text_of(std::string_view view) {
    return std::string(view);
}

// Returns the word of check for a judged finding.
Severity word_for(const Finding& finding) {
    switch (finding.outcome) {
        case Outcome::ok:
        case Outcome::changed:
            return {Tone::pass, "PASS"};
        case Outcome::unknown:
            return {Tone::unknown, "UNKNOWN"};
        case Outcome::na:
            return {Tone::none, "not applicable"};
        case Outcome::hidden:
            return {Tone::none, "hidden"};
        case Outcome::differs:
        case Outcome::unsafe:
        case Outcome::failed:
            break;
    }
    return severity_of(finding.waived ? Level::info : finding.level);
}

// Returns the text of a finding that is not a fault: "all 8 GPUs: 2100".
std::string quiet_text(const Report& names, const Entry& item, bool everything) {
    const Finding& finding = *item.first;
    const std::string targets = targets_text(names, item, everything);
    return (targets.empty() ? "" : targets + ": ") +
           (finding.have ? have_text(finding) : finding.detail);
}

void add_finding(const Report& names, const Entry& item, bool everything, Document& out) {
    const Finding& finding = *item.first;
    const bool is_fault = !is_quiet(finding.outcome);
    std::string text =
        is_fault ? sentence(names, item, everything) : quiet_text(names, item, everything);
    if (finding.outcome != Outcome::na) {
        const bool is_info = finding.level == Level::info;
        text += " (" + (is_info ? "optional in " : text_of(word_of(finding.level)) + " by ") +
                join(names.profiles, " + ") +
                (finding.waived ? ", waived: " + finding.waived->ticket : "") + ")";
    }
    const auto [tone, word] = word_for(finding);
    out.field("here", tone, text_of(word), ": " + text);
    if (!finding.detail.empty() &&
        (is_fault ? !is_in_sentence(names, item) : finding.have.has_value())) {
        out.field("", as_sentence(finding.detail));
    }
    if (is_fault) {
        add_steps(finding, out);
        const Remedy remedy = remedy_of(names, finding);
        out.field("action", text_of(word_of(remedy.action)));
        out.field("jobs", text_of(word_of(remedy.jobs)));
    }
}

void add_value(const Report& names, const Entry& item, bool everything, Document& out) {
    const Finding& finding = *item.first;
    if (finding.have) {
        out.field("here", quiet_text(names, item, everything));
    } else {
        const auto [tone, word] = word_for(finding);
        out.field("here", tone, text_of(word), ": " + finding.detail);
    }
}

void add_here(const SettingHere& here, Detail detail, Document& out) {
    if (!here.not_read.empty()) {
        add_field(out, "here", here.not_read);
        return;
    }
    std::vector<const Finding*> findings;
    for (const auto& finding : here.findings) {
        findings.push_back(&finding);
    }
    Report names;
    names.profiles = here.profiles;
    names.device_names = here.device_names;
    const bool everything = detail == Detail::everything;
    for (const auto& item : entries_of(findings)) {
        if (here.judged) {
            add_finding(names, item, everything, out);
        } else {
            add_value(names, item, everything, out);
        }
    }
    add_field(out, "", here.judged ? "" : join(here.profiles, " + ") + " does not name it");
}

void add_grades(std::span<const Grade> grades, Document& out) {
    std::vector<std::string> lines;
    for (const auto& grade : grades) {
        lines.push_back(text_of(grade.name) + ": " + text_of(word_of(grade.at_most)) +
                        " at most; " + text_of(grade.why));
    }
    add_fields(out, "grades", lines);
}

// Adds every path and text that a set ever writes and that a record of a journal may hold.
void add_places(std::span<const WrittenPlace> places, Document& out) {
    std::vector<std::string> lines;
    for (const auto& place : places) {
        if (!place.bytes.empty()) {
            lines.push_back(text_of(place.path) + ": " + text_of(place.bytes));
        }
    }
    add_fields(out, "writes", lines);
}

std::string traits_of(const Info& info) {
    std::vector<std::string> out;
    out.push_back(info.scope == Scope::node ? "of the node" : "of the asking process");
    if (info.after_reboot) {
        out.emplace_back("a change shows after a reboot");
    }
    if (info.host_decides) {
        out.emplace_back("of a guest its host decides it");
    }
    if (info.only_when_named) {
        out.emplace_back("read only where a profile names it");
    }
    return join(out, "; ");
}

}  // namespace

void add_uses(const std::vector<ProfileUse>& uses, Detail detail, Document& out) {
    constexpr std::size_t widest_value = 70;  // a long list is cut
    const auto most = detail == Detail::everything ? uncut : widest_value;
    std::vector<std::string> lines;
    lines.reserve(uses.size());
    for (const auto& use : uses) {
        lines.push_back(printable(use.value, most) + " (" + text_of(word_of(use.level)) +
                        (use.when.empty() ? "" : ", when " + use.when) +
                        "): " + some_of(use.profiles, detail));
    }
    add_fields(out, "profiles", lines);
}

std::vector<LabelledText> setting_lines(const Info& info) {
    const std::string risk = info.set_by.empty() ? "" : text_of(word_of(info.risk));
    const std::string note = text_of(info.risk_note);
    return {
        {"why", text_of(info.why)},
        {"accepts", forms_text(info.forms)},
        {"target", text_of(info.target) + ", " + traits_of(info)},
        {"read", text_of(info.read_from)},
        {"set", info.set_by.empty() ? "check only: rocenv cannot set it" : text_of(info.set_by)},
        {"kept", text_of(info.persist)},
        {"risk", risk.empty() || note.empty() ? risk : risk + "; " + note},
        {"by hand", text_of(info.next_step)},
        {"source", text_of(info.source)},
    };
}

void add_setting(const SettingExplanation& about, Detail detail, Document& out) {
    const bool everything = detail == Detail::everything;
    add_head(out, text_of(about.info->id), "a setting", about.info->summary);
    for (const auto& line : setting_lines(*about.info)) {
        if (line.label == "source") {
            add_grades(about.info->grades, out);
            add_uses(about.uses, detail, out);
        }
        add_field(out, line.label, line.text);
        if (line.label == "set" && everything) {
            add_places(about.info->places, out);
        } else if (line.label == "kept" && everything) {
            add_fields(out, "by", about.kept_by);
        }
    }
    add_here(about.here, detail, out);
}

namespace {

std::string text(std::string_view view) {
    return std::string(view);
}

std::string range_of(const Variable& variable) {
    const std::string low = text(variable.min);
    const std::string high = text(variable.max);
    const std::string unit = variable.unit.empty() ? "" : " " + text(variable.unit);
    if (low.empty() && high.empty()) {
        return variable.unit.empty() ? "" : "," + unit;
    }
    return low.empty()    ? ", " + high + unit + " or less"
           : high.empty() ? ", " + low + unit + " or more"
                          : ", " + low + " to " + high + unit;
}

std::string kind_of(const Variable& variable) {
    const std::string among = variable.values.empty() ? "" : ": " + shown_values(variable.values);
    constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"bool", "on or off"}, {"int", "a whole number"},
        {"float", "a number"}, {"path", "a path"},
        {"enum", "one word"},  {"list", "a list"},
        {"string", "a text"},  {"secret", "a secret: its value is never shown"},
    };
    for (const auto& [type, meaning] : kinds) {
        if (type == variable.type) {
            return text(meaning) + range_of(variable) + among;
        }
    }
    return text(variable.type) + among;
}

std::string value_text(std::string_view value) {
    return text(shown_value(value));
}

// "6.3~" is a branch on its way.
std::string version_text(std::string_view version) {
    const bool branch = version.ends_with('~');
    version.remove_suffix(branch ? 1 : 0);
    return (branch ? "the branch of " : "") + text(version);
}

// Returns the text that equals an unset variable; empty if no text does.
std::string default_of(const VariableReader& reader) {
    std::string out = reader.fallback ? value_text(*reader.fallback) : "";
    for (const auto& from : reader.defaults) {
        out += (out.empty() ? "" : "; ") + value_text(from.value) + " from " +
               text(reader.package) + " " + version_text(from.version) + " on";
    }
    return out;
}

void add_defaults(const Variable& variable, Document& out) {
    const auto lines = variable_defaults(variable);
    add_fields(out, "default", lines);
    add_field(out, lines.empty() ? "default" : "", variable.fallback_note);
}

// "2.0.0 to 2.14.1", of the releases that were searched; empty: none were.
std::string span_of(const std::optional<SearchedReleases>& list) {
    if (!list || list->releases.empty()) {
        return "";
    }
    const auto first = text(list->releases.front().version);
    const auto last = text(list->releases.back().version);
    return first == last ? first : first + " to " + last;
}

// "torch", "rccl (rocm)".
std::string program_of(const VariableReader& reader) {
    const bool same = reader.searched.empty() || reader.searched == reader.package;
    return same ? text(reader.package) : text(reader.searched) + " (" + text(reader.package) + ")";
}

std::string versions_of(const VariableReader& reader) {
    const auto list = searched_releases(reader.searched);
    const std::string span = span_of(list);
    std::vector<std::string> out;
    if (!reader.since.empty()) {
        out.push_back("from " + version_text(reader.since) + " on");
    }
    if (!reader.until.empty()) {
        out.push_back("no longer from " + version_text(reader.until) + " on");
    }
    if (out.empty() && span.empty()) {
        return "";
    }
    return program_of(reader) + " " +
           (out.empty() ? "in each release checked, " + span + " (" + text(list->date) + ")"
                        : join(out, ", ") + (span.empty() ? ""
                                                          : " (" + span + " were checked, " +
                                                                text(list->date) + ")"));
}

void add_versions(const Variable& variable, Document& out) {
    std::vector<std::string> lines;
    for (const auto& reader : variable.read_by) {
        if (auto line = versions_of(reader); !line.empty()) {
            lines.push_back(std::move(line));
        }
    }
    if (!lines.empty() && versions_of(variable.read_by.front()).empty()) {
        lines.insert(lines.begin(), text(variable.reader) + ": no release was checked; others:");
    }
    add_fields(out, "versions", lines);
}

// "nccl from 2.30.7 on: On for 1 …; words: INFO, WARN".
std::string form_text(const VariableReader& reader, const VariableForm& form) {
    const Parser* parser = find_parser(form.parser);
    return program_of(reader) +
           (form.version.empty() ? "" : " from " + version_text(form.version) + " on") + ": " +
           (parser == nullptr ? "" : text(parser->doc)) +
           (form.values.empty() ? "" : " Words: " + shown_values(form.values) + ".");
}

// Adds the forms, which exist only if readers or releases differ.
void add_forms(const Variable& variable, Document& out) {
    std::vector<std::string> lines;
    for (const auto& reader : variable.read_by) {
        for (const auto& form : reader.forms) {
            lines.push_back(form_text(reader, form));
        }
    }
    add_fields(out, "by release", lines);
}

void add_installed(const VariableHere& here, Document& out) {
    std::vector<std::string> lines;
    for (const auto& each : here.installed) {
        const std::string from = each.from.empty() ? "" : " (" + each.from + ")";
        lines.push_back(each.version ? each.package + " " + *each.version + from : each.from);
    }
    add_fields(out, "installed", lines);
}

std::string status_of(const Variable& variable) {
    const std::string instead =
        variable.renamed.empty() ? "" : "; it is now " + text(variable.renamed);
    constexpr std::pair<std::string_view, std::string_view> all[] = {
        {"deprecated", "read, on its way out"},     {"removed", "nothing reads it"},
        {"no-effect", "read, and nothing follows"}, {"uncertain", "no reader was found"},
        {"mistake", "nothing reads this name"},
    };
    for (const auto& [status, meaning] : all) {
        if (status == variable.status) {
            const bool gone = status == "removed";
            const std::string since = !gone ? ""
                                      : variable.until.empty()
                                          ? " any more"
                                          : " from " + text(variable.package) + " " +
                                                version_text(variable.until) + " on";
            return text(meaning) + since + instead;
        }
    }
    return instead.empty() ? "" : instead.substr(2);
}

std::string meaning_text(const TextMeaning& meaning) {
    const std::string texts = joined_texts(meaning.texts);
    switch (meaning.makes) {
        case Makes::value:
            return shown_value(meaning.value) + ": " + texts;
        case Makes::as_written:
            return "as written: " + texts;
        case Makes::ignored:
            return "ignored: " + texts;
        case Makes::failure:
            return "rejected by its reader: " + texts;
        case Makes::depends:
            return "by version (" + meaning.note + "): " + texts;
    }
    return "";
}

// Returns whether a list of meanings is useful. A reader that uses every text unchanged needs none.
bool explains_texts(const std::vector<TextMeaning>& meanings) {
    return meanings.size() > 1 ||
           (!meanings.empty() && meanings.front().makes != Makes::as_written);
}

// Adds the contradictions that hold here, then some of the others.
void add_contradictions(const VariableExplanation& about, Detail detail, Document& out) {
    const std::size_t most = detail == Detail::everything ? uncut : 3;
    std::vector<std::string> holding;
    std::vector<std::string> others;
    for (const auto& each : about.contradictions) {
        const std::vector<std::string> when(each.conflict.when.begin(), each.conflict.when.end());
        const std::string line = join(when, " with ") + ": " + text(each.conflict.says);
        (each.holds ? holding : others).push_back(line + (each.holds ? " (applies here)" : ""));
    }
    if (others.size() > most) {
        others[most] = "and " + number(others.size() - most) + " more (-v)";
        others.resize(most + 1);
    }
    holding.insert(holding.end(), others.begin(), others.end());
    add_fields(out, "contradicts", holding);
}

std::string effective_text(const Inspection& state) {
    const std::string made = state.effective.value_or("");
    return made == "default" ? "its default" : shown_value(made);
}

void add_absent(const VariableHere& here, Document& out) {
    const Inspection& state = here.state;
    std::string_view remark = state.remark;
    for (const std::string_view before : {"not set; ", "not set: "}) {
        remark.remove_prefix(remark.starts_with(before) ? before.size() : 0);
    }
    const bool has_remark = state.effective == "unset" && !remark.empty();
    const bool known = has_remark || state.effective != "default";
    add_field(
        out, "here",
        !known ? "not set" : "not set: " + (has_remark ? text(remark) : effective_text(state)));
    add_field(
        out, "",
        has_remark || remark == "the default is " + state.effective.value_or("") ? "" : remark);
    add_field(out, "", here.by_version);
}

void add_set(const VariableHere& here, Document& out) {
    const Inspection& state = here.state;
    if (!state.value) {
        add_field(out, "here", (state.uncertain ? "unknown; " : "set; ") + state.remark);
        return;
    }
    const std::string value = state.value->empty() ? "set, and empty" : *state.value;
    const bool same = state.effective == state.value;
    const std::string line = value + (same ? "" : ", read as " + effective_text(state));
    add_field(out, "here", line);
    for (const auto& fault : state.faults) {
        out.field("", Tone::fail, "wrong", ": " + fault);
    }
    add_field(out, "", state.faults.empty() ? state.remark : "");
    add_field(out, "next", state.advice);
}

}  // namespace

std::string variable_accepts(const Variable& variable) {
    return kind_of(variable);
}

// If several programs read the variable, each has its own text.
std::vector<std::string> variable_defaults(const Variable& variable) {
    std::vector<std::string> lines;
    for (const auto& reader : variable.read_by) {
        const auto value = default_of(reader);
        const std::string whose = lines.empty() ? "" : " (" + text(reader.package) + ")";
        if (!value.empty()) {
            lines.push_back(value + whose);
        }
    }
    return lines;
}

std::string set_text(const VariableHere& here) {
    const Inspection& state = here.state;
    if (!here.is_set) {
        return "";
    }
    if (!state.value) {
        return (state.uncertain ? "unknown; " : "set; ") + state.remark +
               (state.faults.empty() ? "" : ": " + join_sentences(state.faults));
    }
    std::string out = state.value->empty() ? "set, and empty" : *state.value;
    out += state.effective == state.value ? "" : " (" + effective_text(state) + ")";
    return state.faults.empty() ? out : out + ": " + join_sentences(state.faults);
}

void add_variable(const VariableExplanation& about, Detail detail, Document& out) {
    const Variable& variable = about.variable;
    add_head(out, about.as.empty() ? text(variable.name) : about.as,
             "a variable" + of_reader(variable), variable.doc);
    add_field(out, "note", variable.note);
    add_field(out, "status", status_of(variable));
    add_field(out, "accepts", variable_accepts(variable));
    add_field(out, "read", about.parser);
    if (explains_texts(about.meanings)) {
        std::vector<std::string> lines;
        for (const auto& meaning : about.meanings) {
            lines.push_back(meaning_text(meaning));
        }
        add_fields(out, "texts", lines);
    }
    add_field(out, "misread", about.misread);
    add_defaults(variable, out);
    add_forms(variable, out);
    add_versions(variable, out);
    add_field(out, "needs", variable.needs);
    add_contradictions(about, detail, out);
    add_field(out, "left over",
              variable.leftover.empty()
                  ? ""
                  : "a " + text(variable.leftover) + " switch: not for production");
    add_uses(about.uses, detail, out);
    add_field(out, "source", variable.source);
    if (detail == Detail::everything) {
        add_field(out, "parser", text(variable.parser) + ": " + about.parser_source);
    }
    const VariableHere& here = about.here;
    add_installed(here, out);
    if (here.is_set) {
        add_set(here, out);
    } else {
        add_absent(here, out);
    }
}

namespace {

// A row of a list.
struct Row {
    std::string kind;  // "settings"
    std::string name;
    std::string set;  // variables only: set_text()
    std::string says;
};

struct ToRow {
    Row operator()(const SettingExplanation& about) const {
        return {"settings", std::string(about.info->id), "", std::string(about.info->summary)};
    }
    Row operator()(const VariableExplanation& about) const {
        const std::string& as = about.as;
        return {"variables", as.empty() ? std::string(about.variable.name) : as,
                set_text(about.here), std::string(about.variable.doc)};
    }
    Row operator()(const ProfileExplanation& about) const {
        return {"profiles", about.name, "",
                about.faults.empty() ? about.summary : join(about.faults, "; ")};
    }
    Row operator()(const WordExplanation& about) const {
        return {"words of reports", std::string(about.word), "",
                std::string(about.kind) + ": " + std::string(about.means)};
    }
};

void add_list(const std::vector<Explanation>& all, Document& out) {
    std::vector<Row> rows;
    rows.reserve(all.size());
    for (const auto& each : all) {
        rows.push_back(std::visit(ToRow(), each));
    }
    for (std::size_t at = 0; at < rows.size(); ++at) {
        const Row& row = rows[at];
        if (at == 0 || row.kind != rows[at - 1].kind) {
            const auto count = std::count_if(
                rows.begin(), rows.end(), [&](const Row& each) { return each.kind == row.kind; });
            out.margin(0);
            out.blank();
            out.heading(row.kind + " (" + number(count) + ")");
            out.margin(2);
        }
        if (row.set.empty()) {
            out.item(row.name, row.says);
        } else {
            out.item(row.name, row.set);
            out.item("", row.says);
        }
    }
    out.margin(0);
}

}  // namespace

void add_profile(const ProfileExplanation& about, Detail detail, Document& out) {
    add_head(out, about.name, "a profile", about.summary);
    add_field(out, "for", about.matches.empty() ? "any node" : join(about.matches, ", "));
    add_field(out, "extends", join(about.extends, ", "));
    add_field(out, "extended by", join(about.extended_by, ", "));
    for (const auto& expectations : about.expectations) {
        add_field(out, word_of(expectations.level), join(expectations.ids, ", "));
    }
    add_fields(out, "also", about.also);
    if (detail == Detail::everything) {
        add_field(out, "file", about.file);
    }
    add_fields(out, "wrong", about.faults);
    add_field(out, "here", about.here);
    if (!about.is_bad) {
        out.command("more", "rocenv profile show " + about.name);
    }
}

void add_word(const WordExplanation& about, Document& out) {
    add_head(out, std::string(about.word),
             about.kind == "status"    ? "an exit status"
             : about.kind == "outcome" ? "an outcome"
             : about.kind == "name"    ? "a name of -p"
             : about.kind == "finding" ? "a finding of check"
                                       : "a " + std::string(about.kind),
             about.means);
    add_field(out, "counts", about.counts);
    add_field(out, "next", about.next);
}

namespace {

struct Adder {
    Detail detail;
    Document& out;
    void operator()(const SettingExplanation& each) const { add_setting(each, detail, out); }
    void operator()(const VariableExplanation& each) const { add_variable(each, detail, out); }
    void operator()(const ProfileExplanation& each) const { add_profile(each, detail, out); }
    void operator()(const WordExplanation& each) const { add_word(each, out); }
};

}  // namespace

std::string render_explain_human(const Explanations& explanations, Detail detail, Screen screen) {
    if (detail == Detail::quiet) {
        return "";
    }
    Document out;
    if (explanations.listed) {
        add_list(explanations.all, out);
    } else {
        for (const auto& each : explanations.all) {
            std::visit(Adder{detail, out}, each);
        }
    }
    for (const auto& note : explanations.notes) {
        out.paragraph("note: " + note);
    }
    return out.text(screen);
}

}  // namespace rocenv
