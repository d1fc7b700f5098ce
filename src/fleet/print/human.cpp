// SPDX-License-Identifier: MIT
// One page about all nodes: the summary, what nodes do not agree on, and remarks. With -v each
// group in detail.
#include <algorithm>
#include <map>
#include <tuple>

#include "fleet/print/render.h"
#include "fleet/print/summary.h"
#include "fleet/print/told.h"
#include "print/layout.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_splits = 10;  // of a group, without -v
constexpr std::size_t most_rows = 20;    // of any other list
constexpr std::size_t longest_value = 60;
constexpr std::size_t longest_side = 120;  // of one side

std::string status_words(int exit_code) {
    return exit_code == exit_ok ? "pass" : exit_code == exit_differs ? "FAIL" : "UNKNOWN";
}

std::string nodes_text(std::size_t count) {
    return counted(count, "node");
}

class FleetText {
   public:
    FleetText(const FleetResult& fleet, Detail detail, Colour colour)
        : fleet_(fleet), detail_(detail), colour_(colour), all_(detail == Detail::everything) {}

    std::string text() {
        if (detail_ == Detail::quiet && fleet_.exit_code == exit_ok && fleet_.odd == 0 &&
            fleet_.without_majority == 0) {
            return "";
        }
        out_ += fleet_summary(fleet_, detail_, colour_);
        origin();
        if (all_) {
            groups();
            tallies();
        } else {
            disagreements();
        }
        absent();
        since();
        remarks();
        return std::move(out_);
    }

   private:
    // Lists what nodes of a group do not agree on.
    void disagreements() {
        const bool any = std::any_of(fleet_.groups.begin(), fleet_.groups.end(),
                                     [](const FleetGroup& group) { return !group.splits.empty(); });
        out_ += any ? "\n" : "";
        for (const auto& group : fleet_.groups) {
            list_splits(group);
        }
    }

    void groups() {
        for (const auto& group : fleet_.groups) {
            add_group(group);
        }
    }

    void add_group(const FleetGroup& group) {
        std::vector<std::string> parts{group.model.empty() ? "unknown model" : group.model};
        if (!group.product.empty()) {
            parts.push_back(group.product);
        }
        for (const auto& [id, value] : group.by) {
            parts.push_back(id + " " + (value.empty() ? "unknown" : value));
        }
        parts.push_back("profile " + (group.profiles.empty() ? "none" : group.profiles));
        if (has_versions(fleet_)) {
            parts.push_back("rocenv " +
                            (group.version.empty() ? "without version" : group.version));
        }
        out_ += "\n" + wrapped("", 2,
                               styled(printable(join(parts, ", "), uncut) + ": " +
                                          nodes_text(group.nodes.size()),
                                      Style::heading, Colour::no));
        for (const auto& fold : group.folds) {
            add_fold(group, fold);
        }
        common(group);
        list_splits(group);
    }

    void list_splits(const FleetGroup& group) {
        const auto all = told(group.splits);
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!all_ && at == most_splits) {
                out_ += "  and " + number(all.size() - at) + " more without a majority (-v)\n";
                return;
            }
            add_split(all[at], group.has_baseline);
        }
    }

    void add_fold(const FleetGroup& group, const FleetFold& fold) {
        const bool odd = group.has_baseline && !fold.differences.empty();
        const std::string first = "  " + number(fold.nodes.size()) + " " +
                                  (fold.judged ? status_words(fold.exit_code) : "not judged") +
                                  (fold.container ? " in a container: " : ": ");
        const std::string lines = name_lines(first, 6, fold.names, true);
        out_ += odd ? styled(lines, Style::attention, colour_) : lines;
        if (!fold.because.empty()) {
            out_ += wrapped("      ", 8, "by " + printable(fold.because, uncut));
        }
        for (const auto& [first_of_kind, targets] : told(fold.differences)) {
            const FleetDifference& each = *first_of_kind;
            out_ += wrapped("      ", 8,
                            (each.level ? std::string(word_of(*each.level)) + " " : "") +
                                std::string(each.id) + targets_text(targets) + ": " +
                                printable(each.here, longest_value) + baseline_word(each) +
                                printable(each.others, longest_value));
        }
    }

    const char* baseline_word(const FleetDifference& each) const {
        return fleet_.reference.empty() || each.by_majority ? "; others " : "; reference ";
    }

    // What most nodes of a group have in common and is not as expected.
    void common(const FleetGroup& group) {
        std::map<std::tuple<std::string_view, Level, Outcome>, std::size_t> targets;
        for (const auto item : group.findings) {
            const FleetFinding& row = fleet_.items[item];
            if (row.level != Level::info) {
                ++targets[{row.id, row.level, row.outcome}];
            }
        }
        std::vector<std::string> parts;
        for (const auto& [key, count] : targets) {
            const auto& [id, level, outcome] = key;
            parts.push_back(std::string(id) + " " + std::string(word_of(outcome)) +
                            (count > 1 ? " on " + number(count) + " targets" : "") +
                            (level == Level::required ? " (required)" : ""));
        }
        if (!parts.empty()) {
            out_ += wrapped(group.findings_compared ? "  most nodes: " : "  not compared: ", 6,
                            join(parts, ", "));
        }
    }

    // Two nodes without peers have no majority: they differ.
    void add_split(const ToldSplit& split, bool of_many) {
        std::string line = std::string(split.first->id) + targets_text(split.targets) + ":";
        std::string rest;
        for (const auto& side : first_of(split.first->sides)) {
            rest +=
                (rest.empty() ? " " : ", ") + printable(side.value, longest_value) + " on " +
                printable(side.names, all_ ? uncut : longest_side) +
                (!all_ && side.names.size() > longest_side ? " (" + nodes_text(side.count) + ", -v)"
                                                           : "");
        }
        rest += split.first->sides.size() > most_rows && !all_
                    ? " and " + number(split.first->sides.size() - most_rows) + " more (-v)"
                    : "";
        out_ += wrapped(of_many ? "  no majority: " : "  they differ: ", 6, line + rest);
    }

    void tallies() {
        if (fleet_.tallies.empty()) {
            return;
        }
        out_ += "\n" + styled("Findings over all nodes", Style::heading, colour_) + "\n";
        for (const auto& tally : fleet_.tallies) {
            const std::string what =
                "  " + std::string(word_of(tally.level)) + " " + printable(tally.id, 60) + " " +
                std::string(word_of(tally.outcome)) +
                (tally.waived ? " (waived: " + printable(tally.ticket, 30) + ")" : "") + " on " +
                nodes_text(tally.nodes) + ": ";
            out_ += name_lines(what, 6, tally.names, true);
            for (const auto& step : tally.steps) {
                out_ +=
                    wrapped("      next: ", 8,
                            (step.model.empty() ? "" : step.model + ": ") + std::string(step.fix));
            }
        }
    }

    void absent() {
        const auto add = [&](std::size_t count, const char* what, const std::string& names) {
            if (count > 0) {
                out_ +=
                    "\n" + styled(name_lines(nodes_text(count) + " " + what + ": ", 6, names, all_),
                                  Style::unsure, colour_);
            }
        };
        add(fleet_.unexpected_count, "not expected (--expect)", fleet_.unexpected);
        for (const auto& each : fleet_.uncompared) {
            add(each.count, ("not compared, " + each.why).c_str(), each.names);
        }
    }

    // Prints which reports these are, and what they were compared with.
    void origin() {
        if (detail_ == Detail::quiet || fleet_.oldest.empty()) {
            return;
        }
        out_ +=
            "\n" +
            wrapped("", 2,
                    counted(fleet_.groups.size(), "group") + "; reports of " + fleet_.oldest +
                        (fleet_.oldest == fleet_.newest ? "" : " to " + fleet_.newest) +
                        (fleet_.superseded > 0 ? ", " + number(fleet_.superseded) + " superseded"
                                               : "") +
                        (fleet_.reference.empty() ? "" : "; compared with " + fleet_.reference) +
                        (all_ ? "" : " (-v lists all)"));
    }

    void since() {
        if (!fleet_.since) {
            return;
        }
        const FleetSince& since = *fleet_.since;
        out_ += "\n" + styled("since " + printable(since.folder, 60), Style::heading, colour_) +
                ": " + number(since.unchanged) + " unchanged\n";
        if (since.added_count > 0) {
            out_ += name_lines("  " + number(since.added_count) + " new: ", 6, since.added, all_);
        }
        if (since.gone_count > 0) {
            out_ += name_lines("  " + number(since.gone_count) + " gone: ", 6, since.gone, all_);
        }
        for (const auto& change : first_of(since.changes)) {
            out_ += name_lines("  " + number(change.nodes.size()) + " changed: ", 6, change.names,
                               all_);
            for (const auto& each : first_of(told(change.differences))) {
                out_ += wrapped("      ", 8,
                                std::string(each.first->id) + targets_text(each.targets) +
                                    ": was " + printable(each.first->others, longest_value) +
                                    ", now " + printable(each.first->here, longest_value));
            }
            more(told(change.differences).size());
        }
        more(since.changes.size());
        for (const auto& growth : first_of(since.growths)) {
            out_ +=
                wrapped("  ", 6,
                        std::string(fleet_.nodes[growth.node].name) + " " + std::string(growth.id) +
                            " " + std::string(growth.target) + ": " + std::string(growth.counter) +
                            " " + number(growth.was) + " -> " + number(growth.now) +
                            (growth.same_boot     ? ""
                             : growth.boots_known ? " (of another boot)"
                                                  : " (perhaps of another boot)"));
        }
        more(since.growths.size());
    }

    void remarks() {
        if (!fleet_.warnings.empty() || !fleet_.problems.empty()) {
            out_ += "\n";
        }
        for (const auto& warning : fleet_.warnings) {
            const auto colon = warning.find(": ");
            out_ += colon == std::string::npos
                        ? wrapped("", 2, warning)
                        : name_lines(printable(warning.substr(0, colon + 2), uncut), 2,
                                     warning.substr(colon + 2), all_);
        }
        for (const auto& problem : first_of(fleet_.problems)) {
            const std::string place =
                problem.file + (problem.line > 0 ? ":" + number(problem.line) : "");
            out_ += wrapped("", 2, printable(place, 120) + ": " + problem.text);
        }
        more(fleet_.problems.size() + fleet_.more_problems);
    }

    template <class Each>
    std::vector<Each> first_of(std::vector<Each> rows) const {
        if (!all_ && rows.size() > most_rows) {
            rows.resize(most_rows);
        }
        return rows;
    }

    void more(std::size_t rows) {
        if (!all_ && rows > most_rows) {
            out_ += "  and " + number(rows - most_rows) + " more (-v)\n";
        }
    }

    const FleetResult& fleet_;
    const Detail detail_;
    const Colour colour_;
    const bool all_;
    std::string out_;
};

}  // namespace

std::string render_fleet_human(const FleetResult& fleet, Detail detail, Colour colour) {
    return FleetText(fleet, detail, colour).text();
}

}  // namespace rocenv
