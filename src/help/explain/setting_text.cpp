// SPDX-License-Identifier: MIT
#include <algorithm>

#include "help/explain/parts.h"
#include "report/report_text.h"
#include "util/text.h"

namespace rocenv {

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
    out += " (" + text_of(level_word(finding.level)) + " by " + profiles;
    out +=
        finding.counted || item.targets.size() > 1 ? ", " + number(item.things) + " of them" : "";
    return out + (finding.waived ? ", waived: " + finding.waived->ticket : "") + ")";
}

std::string plain_told(const Alike& item) {
    const Finding& finding = *item.first;
    if (!finding.have) {
        return text_of(outcome_word(finding.outcome)) + ": " + finding.detail;
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
            "here", outcome_word(finding.outcome), style_of(finding.outcome),
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
                                                                text_of(level_word(grade.at_most)) +
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
                 printable(use.value, most) + " (" + text_of(level_word(use.level)) +
                     (use.when.empty() ? "" : ", when " + use.when) +
                     "): " + some_of(use.profiles, detail));
    }
}

std::vector<LabelledText> setting_lines(const Info& info) {
    const std::string risk = info.set_by.empty() ? "" : text_of(risk_word(info.risk));
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

}  // namespace rocenv
