// SPDX-License-Identifier: MIT
#include "report/report_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t targets_shown = 4;

using Likeness = std::tuple<std::string, Outcome, std::string, std::string, std::string,
                            std::string, std::string>;

Likeness likeness(const Finding& finding) {
    const std::string detail = finding.outcome == Outcome::unknown ? finding.fix : finding.detail;
    const bool tells_was = finding.outcome == Outcome::changed || finding.put_back == PutBack::no;
    return {finding.id,
            finding.outcome,
            finding.want.value_or("\n"),
            finding.have.value_or("\n"),
            detail,
            tells_was ? finding.was.value_or("\n") : "",
            finding.waived ? finding.waived->ticket : ""};
}

}  // namespace

std::string some_of(const std::vector<std::string>& targets, Detail detail) {
    const bool all = detail == Detail::everything || targets.size() <= targets_shown + 1;
    std::string out;
    for (std::size_t at = 0; at < targets.size() && (all || at < targets_shown); ++at) {
        out += (out.empty() ? "" : ", ") + targets[at];
    }
    return all ? out : out + " and " + number(targets.size() - targets_shown) + " more";
}

bool is_trivial_target(const std::string& target) {
    return target == "system" || target == "process";
}

std::string have_text(const Finding& finding) {
    if (finding.have) {
        return finding.have->empty() ? "empty" : *finding.have;
    }
    if (finding.outcome == Outcome::unknown && !finding.effective) {
        return "could not be read";
    }
    return finding.id.starts_with("env.") ? "not set" : "not there";
}

std::vector<Told> ReportText::items_of(const Belongs& belongs) const {
    std::vector<Told> items;
    std::map<Likeness, std::size_t> known;
    for (const auto& finding : report_.findings) {
        if (!belongs(finding)) {
            continue;
        }
        const auto [place, is_new] = known.emplace(likeness(finding), items.size());
        if (is_new) {
            items.push_back({&finding, {}, 0, true, true});
        }
        Told& item = items[place->second];
        item.targets.push_back(finding.target);
        item.things += finding.count;
        item.same_fix = item.same_fix && finding.fix == item.first->fix;
        item.same_detail = item.same_detail && finding.detail == item.first->detail;
    }
    return items;
}

std::size_t ReportText::how_many(const Belongs& belongs) const {
    std::set<std::string> ids;
    for (const auto& finding : report_.findings) {
        if (belongs(finding)) {
            ids.insert(finding.id);
        }
    }
    return ids.size();
}

std::size_t ReportText::how_many(Outcome outcome, Level level) const {
    return how_many([&](const Finding& finding) {
        return finding.outcome == outcome && finding.level == level && !finding.waived;
    });
}

void ReportText::head(const std::string& name, const std::string& verdict) {
    out_ = wrapped(styled(name + ":", Style::heading, colour_) + " ", 2, verdict);
    if (!report_.gpus.empty()) {
        out_ += wrapped("", 0, report_.gpus);
    }
}

void ReportText::section(std::string_view title, Style style, const Belongs& belongs,
                         const Shows& shows) {
    const auto items = items_of(belongs);
    if (items.empty()) {
        return;
    }
    out_ += "\n" + styled(title, style, colour_) + "\n";
    for (const auto& item : items) {
        shows(item);
    }
}

void ReportText::section(Style style, Outcome outcome, Level level) {
    section(
        std::string(word_of(level)) + ", " + std::string(word_of(outcome)), style,
        [&](const Finding& finding) {
            return finding.outcome == outcome && finding.level == level && !finding.waived &&
                   (!finding.aside || detail_ == Detail::everything);
        },
        [this](const Told& item) { show(item); });
}

void ReportText::all_of(Outcome outcome) {
    section(
        word_of(outcome), Style::heading,
        [&](const Finding& finding) { return finding.outcome == outcome; },
        [this](const Told& item) { list(item); });
}

void ReportText::waived() {
    section(
        "waived", Style::heading, [](const Finding& finding) { return finding.waived.has_value(); },
        [this](const Told& item) {
            const Finding& finding = *item.first;
            const Waived& waiver = *finding.waived;
            out_ += wrapped("  ", 6,
                            finding.id + ": " + have_text(finding) +
                                (finding.want ? ", want " + *finding.want : "") + " (" +
                                std::string(word_of(finding.level)) + ", " +
                                std::string(word_of(finding.outcome)) + ")");
            show_targets(item);
            if (!finding.detail.empty()) {
                out_ += wrapped("    ", 4, finding.detail);
            }
            out_ +=
                wrapped("    ", 4, waiver.ticket + ", until " + waiver.until + ": " + waiver.why);
        });
}

void ReportText::show_targets(const Told& item) {
    if (item.targets.size() > 1 || !is_trivial_target(item.first->target)) {
        out_ += wrapped("    on ", 7, some_of(item.targets, detail_));
    }
}

void ReportText::show(const Told& item) {
    const Finding& finding = *item.first;
    const bool nameless = finding.outcome == Outcome::differs && !finding.have && !finding.want &&
                          !finding.detail.empty();
    std::string line = finding.id + (nameless ? "" : ": " + have_text(finding));
    if (finding.want) {
        line += ", want " + *finding.want;
    } else if (finding.outcome == Outcome::differs && finding.detail.empty()) {
        line += ", want it unset";
    }
    if (finding.counted || item.targets.size() > 1) {
        line += " (" + number(item.things) + " of them)";
    }
    out_ += wrapped("  ", 6, line);
    show_targets(item);
    if (finding.put_back == PutBack::no && finding.was && finding.was != finding.have &&
        finding.was != finding.want) {
        out_ += wrapped("    ", 4, "was " + *finding.was);
    }
    if (!finding.detail.empty()) {
        out_ += wrapped("    ", 4, finding.detail);
    }
    reason(finding);
    if (!finding.fix.empty()) {
        out_ += next_line(finding.fix + (item.same_fix ? "" : " (so for each)"));
    }
}

// What is only for information says why when it is asked for.
void ReportText::reason(const Finding& finding) {
    const bool everything = detail_ == Detail::everything;
    const auto note = report_.settings.find(finding.id);
    if (finding.outcome != Outcome::differs || note == report_.settings.end() ||
        (finding.level == Level::info && !everything)) {
        return;
    }
    out_ += wrapped("    why: ", 9, note->second.why);
    if (everything) {
        out_ += wrapped("    source: ", 12, note->second.source);
    }
}

void ReportText::list(const Told& item) {
    const Finding& finding = *item.first;
    std::string line = finding.id;
    if (finding.have && finding.outcome == Outcome::ok) {
        line += ": " + have_text(finding);
    }
    if (item.targets.size() > 1 || !is_trivial_target(finding.target)) {
        line += " on " + some_of(item.targets, detail_);
    }
    line += " (" + std::string(word_of(finding.level)) + ")";
    out_ += wrapped("  ", 6, line);
    if (!finding.detail.empty() && item.same_detail) {
        out_ += wrapped("    ", 4, finding.detail);
    }
}

std::string ReportText::counts() const {
    std::vector<std::string> parts;
    for (const auto* outcome :
         {"ok", "changed", "failed", "unsafe", "differs", "unknown", "na", "hidden"}) {
        if (const auto found = report_.summary.find(outcome); found != report_.summary.end()) {
            parts.push_back(number(found->second) + " " + outcome);
        }
    }
    const auto lived_with =
        std::count_if(report_.findings.begin(), report_.findings.end(),
                      [](const Finding& finding) { return finding.waived.has_value(); });
    const std::string of_these =
        lived_with > 0 ? "; of these " + number(lived_with) + " waived" : "";
    const bool more = detail_ != Detail::everything &&
                      std::any_of(report_.findings.begin(), report_.findings.end(),
                                  [](const Finding& finding) { return is_quiet(finding.outcome); });
    return (parts.empty() ? "0 findings" : join(parts, ", ")) + of_these +
           (more ? "  (-v lists all)\n" : "\n");
}

void ReportText::counts_and_notes() {
    out_ += "\n" + counts();
    for (const auto& note : report_.notes) {
        out_ += wrapped("note: ", 6, note);
    }
}

std::string next_line(const std::string& fix) {
    constexpr std::size_t longest = 4096;
    const std::string_view start = "    next: ";
    const bool command = fix.find("sudo ") != std::string::npos ||
                         fix.find("rocenv ") != std::string::npos || fix.starts_with("export ");
    return command ? std::string(start) + printable(fix, longest) + "\n"
                   : wrapped(start, start.size(), fix);
}

}  // namespace rocenv
