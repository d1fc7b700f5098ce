// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "render/layout.h"
#include "rocenv/render.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t targets_shown = 4;

// Findings that differ only in their target, told as one.
struct Item {
    const Finding* first;
    std::vector<std::string> targets;
    std::size_t things = 0;  // CPUs, policies, GPUs, functions
    bool same_fix = true;
    bool same_detail = true;
};

using Likeness = std::tuple<std::string, Outcome, std::string, std::string, std::string>;

Likeness likeness(const Finding& finding) {
    const std::string detail = finding.outcome == Outcome::unknown ? finding.fix : finding.detail;
    return {finding.id, finding.outcome, finding.want.value_or("\n"), finding.have.value_or("\n"),
            detail};
}

std::vector<Item> items_of(const Report& report, const auto& belongs) {
    std::vector<Item> items;
    std::map<Likeness, std::size_t> known;
    for (const auto& finding : report.findings) {
        if (!belongs(finding)) {
            continue;
        }
        const auto [place, is_new] = known.emplace(likeness(finding), items.size());
        if (is_new) {
            items.push_back({&finding, {}, 0, true, true});
        }
        Item& item = items[place->second];
        item.targets.push_back(finding.target);
        item.things += finding.count;
        item.same_fix = item.same_fix && finding.fix == item.first->fix;
        item.same_detail = item.same_detail && finding.detail == item.first->detail;
    }
    return items;
}

bool is_trivial_target(const std::string& target) {
    return target == "system" || target == "process";
}

std::string targets_text(const Item& item, Detail detail) {
    const bool all = detail == Detail::everything || item.targets.size() <= targets_shown + 1;
    std::string out;
    for (std::size_t at = 0; at < item.targets.size() && (all || at < targets_shown); ++at) {
        out += (out.empty() ? "" : ", ") + item.targets[at];
    }
    return all ? out : out + " and " + number(item.targets.size() - targets_shown) + " more";
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

// Counted, and listed only when everything is.
bool is_quiet(const Finding& finding) {
    return finding.outcome == Outcome::ok || finding.outcome == Outcome::na ||
           finding.outcome == Outcome::hidden;
}

class HumanReport {
   public:
    HumanReport(const Report& report, Detail detail, Colour colour)
        : report_(report), detail_(detail), colour_(colour) {}

    std::string text() {
        out_ = wrapped(styled(join(report_.profiles, " + ") + ":", Style::heading, colour_) + " ",
                       2, verdict());
        if (!report_.gpus.empty()) {
            out_ += wrapped("", 0, report_.gpus);
        }
        section("required, differs", Style::attention, Outcome::differs, Level::required);
        section("required, unknown", Style::unsure, Outcome::unknown, Level::required);
        section("recommended, differs", Style::attention, Outcome::differs, Level::recommended);
        section("recommended, unknown", Style::unsure, Outcome::unknown, Level::recommended);
        section("info, differs", Style::heading, Outcome::differs, Level::info);
        section("info, unknown", Style::unsure, Outcome::unknown, Level::info);
        remarks();
        if (detail_ == Detail::everything) {
            all_others();
        }
        out_ += "\n" + counts();
        for (const auto& note : report_.notes) {
            out_ += wrapped("note: ", 6, note);
        }
        return std::move(out_);
    }

   private:
    // Settings, not findings: 384 CPUs and 18 bridges are two things to do.
    std::size_t how_many(Outcome outcome, Level level) const {
        std::set<std::string> ids;
        for (const auto& finding : report_.findings) {
            if (finding.outcome == outcome && finding.level == level) {
                ids.insert(finding.id);
            }
        }
        return ids.size();
    }

    std::string verdict() const {
        if (report_.findings.empty()) {
            return "nothing was judged";
        }
        std::vector<std::string> parts;
        for (const auto level : {Level::required, Level::recommended}) {
            const std::string word(level_word(level));
            if (const auto count = how_many(Outcome::differs, level); count > 0) {
                parts.push_back(counted(count, word + " setting") +
                                (count == 1 ? " differs" : " differ"));
            }
            if (const auto count = how_many(Outcome::unknown, level); count > 0) {
                parts.push_back(counted(count, word + " setting") + " unknown");
            }
            if (const auto count = how_many(Outcome::hidden, level); count > 0) {
                parts.push_back(counted(count, word + " setting") + " hidden from this container");
            }
        }
        const bool ok = report_.exit_code == 0;
        const std::string head = ok                       ? "all that is required is as wanted"
                                 : report_.exit_code == 1 ? "NOT as wanted"
                                                          : "CANNOT TELL";
        return parts.empty() ? head : head + (ok ? "; " : ": ") + join(parts, ", ");
    }

    void section(const char* title, Style style, Outcome outcome, Level level) {
        const auto items = items_of(report_, [&](const Finding& finding) {
            return finding.outcome == outcome && finding.level == level;
        });
        if (items.empty()) {
            return;
        }
        out_ += "\n" + styled(title, style, colour_) + "\n";
        for (const auto& item : items) {
            show(item);
        }
    }

    void show(const Item& item) {
        const Finding& finding = *item.first;
        std::string line = finding.id + ": " + have_text(finding);
        if (finding.want) {
            line += ", want " + *finding.want;
        } else if (finding.outcome == Outcome::differs && finding.id.starts_with("env.")) {
            line += ", want it unset";
        }
        if (finding.counted || item.targets.size() > 1) {
            line += " (" + number(item.things) + " of them)";
        }
        out_ += wrapped("  ", 6, line);
        if (item.targets.size() > 1 || !is_trivial_target(finding.target)) {
            out_ += wrapped("    on ", 7, targets_text(item, detail_));
        }
        if (!finding.detail.empty()) {
            out_ += wrapped("    ", 4, finding.detail);
        }
        reason(finding);
        if (!finding.fix.empty()) {
            out_ +=
                wrapped("    next: ", 10, finding.fix + (item.same_fix ? "" : "  (so for each)"));
        }
    }

    // What is only for information says why when it is asked for.
    void reason(const Finding& finding) {
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

    void remarks() {
        const auto items = items_of(report_, [](const Finding& finding) {
            return finding.outcome == Outcome::ok && finding.remark;
        });
        if (items.empty()) {
            return;
        }
        out_ += "\n" + styled("as wanted, worth knowing", Style::heading, colour_) + "\n";
        for (const auto& item : items) {
            out_ += wrapped("  ", 6,
                            item.first->id + ": " + have_text(*item.first) + " on " +
                                targets_text(item, detail_));
            out_ += wrapped("    ", 4, item.first->detail);
        }
    }

    void all_others() {
        for (const auto outcome : {Outcome::ok, Outcome::na, Outcome::hidden}) {
            const auto items = items_of(
                report_, [&](const Finding& finding) { return finding.outcome == outcome; });
            if (!items.empty()) {
                out_ += "\n" + styled(outcome_word(outcome), Style::heading, colour_) + "\n";
            }
            for (const auto& item : items) {
                list(item);
            }
        }
    }

    void list(const Item& item) {
        const Finding& finding = *item.first;
        std::string line = finding.id;
        if (finding.have && finding.outcome == Outcome::ok) {
            line += ": " + have_text(finding);
        }
        if (item.targets.size() > 1 || !is_trivial_target(finding.target)) {
            line += " on " + targets_text(item, detail_);
        }
        line += " (" + std::string(level_word(finding.level)) + ")";
        out_ += wrapped("  ", 6, line);
        if (!finding.detail.empty() && item.same_detail) {
            out_ += wrapped("    ", 4, finding.detail);
        }
    }

    std::string counts() const {
        std::vector<std::string> parts;
        for (const auto* outcome : {"ok", "differs", "unknown", "na", "hidden"}) {
            if (const auto found = report_.summary.find(outcome); found != report_.summary.end()) {
                parts.push_back(number(found->second) + " " + outcome);
            }
        }
        const bool more = detail_ != Detail::everything &&
                          std::any_of(report_.findings.begin(), report_.findings.end(),
                                      [](const Finding& finding) { return is_quiet(finding); });
        return (parts.empty() ? "0 findings" : join(parts, ", ")) +
               (more ? "  (-v lists all)\n" : "\n");
    }

    const Report& report_;
    Detail detail_;
    Colour colour_;
    std::string out_;
};

}  // namespace

std::string render_human(const Report& report, Detail detail, Colour colour) {
    return detail == Detail::quiet ? std::string() : HumanReport(report, detail, colour).text();
}

}  // namespace rocenv
