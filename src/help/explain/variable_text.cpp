// SPDX-License-Identifier: MIT
#include <algorithm>

#include "help/explain/parts.h"
#include "util/text.h"

namespace rocenv {

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

}  // namespace rocenv
