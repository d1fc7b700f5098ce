// SPDX-License-Identifier: MIT
#include "help/explain/parts.h"

#include <algorithm>

#include "help/explain/render.h"
#include "report/report_text.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t margin = 2;
constexpr std::size_t indent = 14;  // of the texts behind labels

std::string labelled(std::string_view label) {
    std::string out = std::string(margin, ' ') + std::string(label);
    out.resize(std::max(indent, out.size() + 1), ' ');
    return out;
}

}  // namespace

void Labelled::head(const std::string& name, const std::string& kind) {
    out_ += out_.empty() ? "" : "\n";
    out_ += wrapped(styled(name, Style::heading, colour_) + ", ", margin, kind);
}

void Labelled::sentence(std::string_view text) {
    if (!text.empty()) {
        out_ += wrapped(std::string(margin, ' '), margin, text);
    }
}

void Labelled::line(std::string_view label, std::string_view text) {
    if (!text.empty()) {
        out_ += wrapped(labelled(label), indent, text);
    }
}

void Labelled::lines(std::string_view label, const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        line(&text == &texts.front() ? label : "", text);
    }
}

void Labelled::line(std::string_view label, std::string_view word, Style style,
                    std::string_view text) {
    out_ += wrapped(labelled(label) + styled(word, style, colour_), indent, text);
}

void Labelled::command(std::string_view label, const std::string& text) {
    if (!text.empty()) {
        out_ += labelled(label) + printable(text, uncut) + "\n";
    }
}

std::string texts_told(const std::vector<std::string>& texts) {
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

// Findings that differ in nothing but their target.
struct Alike {
    const Finding* first;
    std::vector<std::string> targets;
    std::size_t things = 0;
};

bool is_alike(const Finding& a, const Finding& b) {
    return a.outcome == b.outcome && a.have == b.have && a.want == b.want && a.level == b.level &&
           a.detail == b.detail && a.waived.has_value() == b.waived.has_value();
}

std::vector<Alike> folded(const std::vector<Finding>& findings) {
    std::vector<Alike> out;
    for (const auto& finding : findings) {
        auto like = std::find_if(out.begin(), out.end(),
                                 [&](const Alike& each) { return is_alike(*each.first, finding); });
        if (like == out.end()) {
            like = out.insert(like, {&finding, {}, 0});
        }
        like->targets.push_back(finding.target);
        like->things += finding.count;
    }
    return out;
}

std::string judged_told(const Alike& item, const std::string& profiles) {
    const Finding& finding = *item.first;
    std::string out = ": " + have_text(finding);
    if (finding.want && finding.outcome != Outcome::ok) {
        out += ", want " + *finding.want;
    }
    out += " (" + text_of(word_of(finding.level)) + " by " + profiles;
    out +=
        finding.counted || item.targets.size() > 1 ? ", " + number(item.things) + " of them" : "";
    return out + (finding.waived ? ", waived: " + finding.waived->ticket : "") + ")";
}

std::string plain_told(const Alike& item) {
    const Finding& finding = *item.first;
    if (!finding.have) {
        return text_of(word_of(finding.outcome)) + ": " + finding.detail;
    }
    const bool several = finding.counted || item.targets.size() > 1;
    return have_text(finding) + (several ? " (" + number(item.things) + " of them)" : "");
}

Style style_of(Outcome outcome) {
    return outcome == Outcome::differs || outcome == Outcome::failed ? Style::attention
           : outcome == Outcome::unknown                             ? Style::unsure
                                                                     : Style::heading;
}

void tell_item(const Alike& item, const SettingHere& here, Detail detail, Labelled& out) {
    const Finding& finding = *item.first;
    const bool judged = here.judged;
    if (judged) {
        const bool nothing_there = finding.outcome == Outcome::na;
        out.line(
            "here", word_of(finding.outcome), style_of(finding.outcome),
            nothing_there ? ": " + finding.detail : judged_told(item, join(here.profiles, " + ")));
        out.line("", nothing_there ? "" : finding.detail);
    } else {
        out.line("here", plain_told(item));
    }
    if (item.targets.size() > 1 || !is_trivial_target(finding.target)) {
        out.line("", "on " + some_of(item.targets, detail));
    }
    if (judged && !is_quiet(finding.outcome)) {
        out.command("next", finding.fix);
    }
}

void tell_here(const SettingHere& here, Detail detail, Labelled& out) {
    if (!here.not_read.empty()) {
        out.line("here", here.not_read);
        return;
    }
    const auto items = folded(here.findings);
    for (const auto& item : items) {
        tell_item(item, here, detail, out);
    }
    out.line("", here.judged ? "" : join(here.profiles, " + ") + " does not name it");
}

void tell_grades(std::span<const Grade> grades, Labelled& out) {
    for (const auto& grade : grades) {
        out.line(&grade == &grades.front() ? "grades" : "", text_of(grade.name) + ": " +
                                                                text_of(word_of(grade.at_most)) +
                                                                " at most; " + text_of(grade.why));
    }
}

// Every path and text that a set ever writes, and the journal is held to.
void tell_places(std::span<const WrittenPlace> places, Labelled& out) {
    std::vector<std::string> told;
    for (const auto& place : places) {
        if (!place.bytes.empty()) {
            told.push_back(text_of(place.path) + ": " + text_of(place.bytes));
        }
    }
    out.lines("writes", told);
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

void tell_uses(const std::vector<ProfileUse>& uses, Detail detail, Labelled& out) {
    constexpr std::size_t widest_value = 70;  // a long list is cut
    const auto most = detail == Detail::everything ? uncut : widest_value;
    for (const auto& use : uses) {
        out.line(&use == &uses.front() ? "profiles" : "",
                 printable(use.value, most) + " (" + text_of(word_of(use.level)) +
                     (use.when.empty() ? "" : ", when " + use.when) +
                     "): " + some_of(use.profiles, detail));
    }
}

std::vector<LabelledText> setting_lines(const Info& info) {
    const std::string risk = info.set_by.empty() ? "" : text_of(word_of(info.risk));
    const std::string note = text_of(info.risk_note);
    return {
        {"why", text_of(info.why)},
        {"takes", forms_text(info.forms)},
        {"target", text_of(info.target) + ", " + traits_of(info)},
        {"read", text_of(info.read_from)},
        {"set", info.set_by.empty() ? "check only: rocenv cannot set it" : text_of(info.set_by)},
        {"kept", text_of(info.persist)},
        {"risk", risk.empty() || note.empty() ? risk : risk + "; " + note},
        {"by hand", text_of(info.next_step)},
        {"source", text_of(info.source)},
    };
}

void tell_setting(const SettingExplanation& about, Detail detail, Labelled& out) {
    const bool everything = detail == Detail::everything;
    out.head(text_of(about.info->id), "a setting");
    out.sentence(about.info->summary);
    for (const auto& line : setting_lines(*about.info)) {
        if (line.label == "source") {
            tell_grades(about.info->grades, out);
            tell_uses(about.uses, detail, out);
        }
        out.line(line.label, line.text);
        if (line.label == "set" && everything) {
            tell_places(about.info->places, out);
        } else if (line.label == "kept" && everything) {
            out.lines("by", about.kept_by);
        }
    }
    tell_here(about.here, detail, out);
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
    const std::vector<std::string> words(variable.values.begin(), variable.values.end());
    const std::string among = words.empty() ? "" : ": " + join(words, ", ");
    constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"bool", "on or off"}, {"int", "a whole number"},
        {"float", "a number"}, {"path", "a path"},
        {"enum", "one word"},  {"list", "a list"},
        {"string", "a text"},  {"secret", "a secret: its value is never shown"},
    };
    for (const auto& [type, told] : kinds) {
        if (type == variable.type) {
            return text(told) + range_of(variable) + among;
        }
    }
    return text(variable.type) + among;
}

std::string value_told(std::string_view value) {
    return value.empty() ? "empty" : text(value);
}

// "6.3~" is a branch on its way.
std::string version_told(std::string_view version) {
    const bool branch = version.ends_with('~');
    version.remove_suffix(branch ? 1 : 0);
    return (branch ? "the branch of " : "") + text(version);
}

// What leaving it unset equals; empty: no text does.
std::string default_of(const VariableReader& reader) {
    std::string out = reader.fallback ? value_told(*reader.fallback) : "";
    for (const auto& from : reader.defaults) {
        out += (out.empty() ? "" : "; ") + value_told(from.value) + " from " +
               text(reader.package) + " " + version_told(from.version) + " on";
    }
    return out;
}

void tell_defaults(const Variable& variable, Labelled& out) {
    const auto told = variable_defaults(variable);
    out.lines("default", told);
    out.line(told.empty() ? "default" : "", variable.fallback_note);
}

// "2.0.0 to 2.14.1", of the releases that were searched; empty: none were.
std::string span_of(const std::optional<LookedAt>& list) {
    if (!list || list->releases.empty()) {
        return "";
    }
    const auto first = text(list->releases.front().version);
    const auto last = text(list->releases.back().version);
    return first == last ? first : first + " to " + last;
}

// "torch", "rccl (rocm)".
std::string program_of(const VariableReader& reader) {
    const bool same = reader.looked_at.empty() || reader.looked_at == reader.package;
    return same ? text(reader.package) : text(reader.looked_at) + " (" + text(reader.package) + ")";
}

std::string versions_of(const VariableReader& reader) {
    const auto list = looked_at(reader.looked_at);
    const std::string span = span_of(list);
    std::vector<std::string> out;
    if (!reader.since.empty()) {
        out.push_back("from " + version_told(reader.since) + " on");
    }
    if (!reader.until.empty()) {
        out.push_back("no longer from " + version_told(reader.until) + " on");
    }
    if (out.empty() && span.empty()) {
        return "";
    }
    return program_of(reader) + " " +
           (out.empty() ? "in each release looked at, " + span + " (" + text(list->date) + ")"
                        : join(out, ", ") + (span.empty() ? ""
                                                          : " (" + span + " were looked at, " +
                                                                text(list->date) + ")"));
}

void tell_versions(const Variable& variable, Labelled& out) {
    std::vector<std::string> told;
    for (const auto& reader : variable.read_by) {
        if (auto line = versions_of(reader); !line.empty()) {
            told.push_back(std::move(line));
        }
    }
    if (!told.empty() && versions_of(variable.read_by.front()).empty()) {
        told.insert(told.begin(), text(variable.reader) + ": no release was looked at; others:");
    }
    out.lines("versions", told);
}

void tell_installed(const VariableHere& here, Labelled& out) {
    std::vector<std::string> told;
    for (const auto& each : here.installed) {
        const std::string from = each.from.empty() ? "" : " (" + each.from + ")";
        told.push_back(each.version ? each.package + " " + *each.version + from : each.from);
    }
    out.lines("installed", told);
}

std::string status_of(const Variable& variable) {
    const std::string instead =
        variable.renamed.empty() ? "" : "; it is now " + text(variable.renamed);
    constexpr std::pair<std::string_view, std::string_view> all[] = {
        {"deprecated", "read, on its way out"},     {"removed", "nothing reads it"},
        {"no-effect", "read, and nothing follows"}, {"uncertain", "no reader was found"},
        {"mistake", "nothing reads this name"},
    };
    for (const auto& [status, told] : all) {
        if (status == variable.status) {
            const bool gone = status == "removed";
            const std::string since = !gone ? ""
                                      : variable.until.empty()
                                          ? " any more"
                                          : " from " + text(variable.package) + " " +
                                                version_told(variable.until) + " on";
            return text(told) + since + instead;
        }
    }
    return instead.empty() ? "" : instead.substr(2);
}

std::string meaning_told(const TextMeaning& meaning) {
    const std::string texts = texts_told(meaning.texts);
    switch (meaning.makes) {
        case Makes::value:
            return (meaning.value.empty() ? "empty" : meaning.value) + ": " + texts;
        case Makes::as_written:
            return "as written: " + texts;
        case Makes::ignored:
            return "ignored: " + texts;
        case Makes::failure:
            return "its reader fails: " + texts;
        case Makes::depends:
            return "by version (" + meaning.note + "): " + texts;
    }
    return "";
}

// A reader that takes every text as it is needs no list of them.
bool tells_texts(const std::vector<TextMeaning>& meanings) {
    return meanings.size() > 1 ||
           (!meanings.empty() && meanings.front().makes != Makes::as_written);
}

// Those that hold here, and of the others some.
void tell_contradictions(const VariableExplanation& about, Detail detail, Labelled& out) {
    const std::size_t most = detail == Detail::everything ? uncut : 3;
    std::vector<std::string> holding;
    std::vector<std::string> others;
    for (const auto& each : about.contradictions) {
        const std::vector<std::string> when(each.conflict.when.begin(), each.conflict.when.end());
        const std::string told = join(when, " with ") + ": " + text(each.conflict.says);
        (each.holds ? holding : others).push_back(told + (each.holds ? " (so it is here)" : ""));
    }
    if (others.size() > most) {
        others[most] = "and " + number(others.size() - most) + " more (-v)";
        others.resize(most + 1);
    }
    holding.insert(holding.end(), others.begin(), others.end());
    out.lines("contradicts", holding);
}

std::string effective_told(const Inspection& state) {
    const std::string made = state.effective.value_or("");
    return made.empty() ? "empty" : made == "default" ? "its default" : made;
}

void tell_absent(const VariableHere& here, Labelled& out) {
    const Inspection& state = here.state;
    std::string_view remark = state.remark;
    for (const std::string_view before : {"not set; ", "not set: "}) {
        remark.remove_prefix(remark.starts_with(before) ? before.size() : 0);
    }
    const bool tells = state.effective == "unset" && !remark.empty();
    const bool known = tells || state.effective != "default";
    out.line("here",
             !known ? "not set" : "not set: " + (tells ? text(remark) : effective_told(state)));
    out.line("", tells || remark.starts_with("its default is") ? "" : remark);
    out.line("", here.by_version);
}

void tell_set(const VariableHere& here, Labelled& out) {
    const Inspection& state = here.state;
    if (!state.value) {
        out.line("here", (state.uncertain ? "unknown; " : "set; ") + state.remark);
        return;
    }
    const std::string value = state.value->empty() ? "set to nothing" : *state.value;
    const bool same = state.effective == state.value;
    const std::string told = value + (same ? "" : ", which makes " + effective_told(state));
    out.line("here", told);
    for (const auto& fault : state.faults) {
        out.line("", "wrong", Style::attention, ": " + fault);
    }
    out.line("", state.faults.empty() ? state.remark : "");
    out.line("next", state.advice);
}

}  // namespace

std::string variable_takes(const Variable& variable) {
    return kind_of(variable);
}

// Of several programs that read it each says its own.
std::vector<std::string> variable_defaults(const Variable& variable) {
    std::vector<std::string> told;
    for (const auto& reader : variable.read_by) {
        const auto value = default_of(reader);
        const std::string whose = told.empty() ? "" : " (" + text(reader.package) + ")";
        if (!value.empty()) {
            told.push_back(value + whose);
        }
    }
    return told;
}

std::string set_told(const VariableHere& here) {
    const Inspection& state = here.state;
    if (!here.is_set) {
        return "";
    }
    if (!state.value) {
        return (state.uncertain ? "unknown; " : "set; ") + state.remark +
               (state.faults.empty() ? "" : ": " + join(state.faults, "; "));
    }
    std::string out = state.value->empty() ? "set to nothing" : *state.value;
    out += state.effective == state.value ? "" : " (" + effective_told(state) + ")";
    return state.faults.empty() ? out : out + ": " + join(state.faults, "; ");
}

void tell_variable(const VariableExplanation& about, Detail detail, Labelled& out) {
    const Variable& variable = about.variable;
    out.head(about.as.empty() ? text(variable.name) : about.as,
             variable.reader.empty() ? "a variable" : "a variable of " + text(variable.reader));
    out.sentence(variable.doc);
    out.line("note", variable.note);
    out.line("status", status_of(variable));
    out.line("takes", variable_takes(variable));
    out.line("read", about.parser);
    if (tells_texts(about.meanings)) {
        for (const auto& meaning : about.meanings) {
            out.line(&meaning == &about.meanings.front() ? "texts" : "", meaning_told(meaning));
        }
    }
    out.line("misread", about.misread);
    tell_defaults(variable, out);
    tell_versions(variable, out);
    out.line("needs", variable.needs);
    tell_contradictions(about, detail, out);
    out.line("left over", variable.leftover.empty()
                              ? ""
                              : "a " + text(variable.leftover) + " switch: not for production");
    tell_uses(about.uses, detail, out);
    out.line("source", variable.source);
    if (detail == Detail::everything) {
        out.line("parser", text(variable.parser) + ": " + about.parser_source);
    }
    const VariableHere& here = about.here;
    tell_installed(here, out);
    if (here.is_set) {
        tell_set(here, out);
    } else {
        tell_absent(here, out);
    }
}

namespace {

constexpr std::size_t widest_name = 28;  // in a list; a longer one has a line to itself

// A row of a list.
struct Row {
    std::string kind;  // "settings"
    std::string name;
    std::string set;  // of a variable that is set
    std::string says;
};

struct ToRow {
    Row operator()(const SettingExplanation& about) const {
        return {"settings", std::string(about.info->id), "", std::string(about.info->summary)};
    }
    Row operator()(const VariableExplanation& about) const {
        const std::string& as = about.as;
        return {"variables", as.empty() ? std::string(about.variable.name) : as,
                set_told(about.here), std::string(about.variable.doc)};
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

std::size_t width_of(const std::vector<Row>& rows, const std::string& kind) {
    std::size_t width = 0;
    for (const auto& row : rows) {
        const bool counts = row.kind == kind && row.name.size() <= widest_name;
        width = counts ? std::max(width, row.name.size()) : width;
    }
    return width;
}

std::string row_told(const Row& row, std::size_t width) {
    const std::string name = printable(row.name, uncut);
    const bool apart = name.size() > width;
    const std::size_t left_margin = 2 + width + 2;
    const std::string left = apart ? "  " + name + "\n" : "";
    const std::string begin = apart ? std::string(left_margin, ' ')
                                    : "  " + name + std::string(left_margin - 2 - name.size(), ' ');
    return left + (row.set.empty()
                       ? wrapped(begin, left_margin, row.says)
                       : wrapped(begin, left_margin, row.set) +
                             wrapped(std::string(left_margin, ' '), left_margin, row.says));
}

std::string list_told(const std::vector<Explanation>& all, Colour colour) {
    std::vector<Row> rows;
    rows.reserve(all.size());
    for (const auto& each : all) {
        rows.push_back(std::visit(ToRow(), each));
    }
    std::string out;
    std::size_t width = 0;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (at == 0 || rows[at].kind != rows[at - 1].kind) {
            width = width_of(rows, rows[at].kind);
            const auto count = std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
                return row.kind == rows[at].kind;
            });
            out += (at == 0 ? "" : "\n") + styled(rows[at].kind, Style::heading, colour) + " (" +
                   number(count) + ")\n";
        }
        out += row_told(rows[at], width);
    }
    return out;
}

}  // namespace

void tell_profile(const ProfileExplanation& about, Detail detail, Labelled& out) {
    out.head(about.name, "a profile");
    out.sentence(about.summary);
    out.line("for", about.matches.empty() ? "any node" : join(about.matches, ", "));
    out.line("extends", join(about.extends, ", "));
    out.line("extended by", join(about.extended_by, ", "));
    for (const auto& wants : about.wants) {
        out.line(word_of(wants.level), join(wants.ids, ", "));
    }
    out.lines("also", about.also);
    if (detail == Detail::everything) {
        out.line("file", about.file);
    }
    out.lines("wrong", about.faults);
    out.line("here", about.here);
    if (!about.is_bad) {
        out.command("more", "rocenv profile show " + about.name);
    }
}

void tell_word(const WordExplanation& about, Labelled& out) {
    out.head(std::string(about.word), about.kind == "status"    ? "an exit status"
                                      : about.kind == "outcome" ? "an outcome"
                                      : about.kind == "name"    ? "a name of -p"
                                      : about.kind == "finding" ? "a finding of no setting"
                                                                : "a " + std::string(about.kind));
    out.sentence(about.means);
    out.line("counts", about.counts);
    out.line("next", about.next);
}

namespace {

struct Teller {
    Detail detail;
    Labelled& out;
    void operator()(const SettingExplanation& each) const { tell_setting(each, detail, out); }
    void operator()(const VariableExplanation& each) const { tell_variable(each, detail, out); }
    void operator()(const ProfileExplanation& each) const { tell_profile(each, detail, out); }
    void operator()(const WordExplanation& each) const { tell_word(each, out); }
};

std::string all_told(const std::vector<Explanation>& all, Detail detail, Colour colour) {
    Labelled out(colour);
    for (const auto& each : all) {
        std::visit(Teller{detail, out}, each);
    }
    return out.take();
}

}  // namespace

std::string render_explain_human(const Explanations& explanations, Detail detail, Colour colour) {
    if (detail == Detail::quiet) {
        return "";
    }
    std::string notes;
    for (const auto& note : explanations.notes) {
        notes += wrapped("note: ", 6, note);
    }
    return (explanations.listed ? list_told(explanations.all, colour)
                                : all_told(explanations.all, detail, colour)) +
           notes;
}

}  // namespace rocenv
