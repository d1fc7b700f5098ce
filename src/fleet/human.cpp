// SPDX-License-Identifier: MIT
// One page about all nodes: folds, who stands out, counts.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "fleet/render.h"
#include "print/layout.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_folds = 20;       // of a group, without -v
constexpr std::size_t most_differences = 6;  // of a fold
constexpr std::size_t most_rows = 20;        // of any other list
constexpr std::size_t most_name_lines = 3;   // of a folded list of nodes
constexpr std::size_t longest_value = 60;

// A folded list of names after `first`, broken behind commas; without end where all are asked for.
std::string name_lines(std::string_view first, std::size_t indent, const std::string& names,
                       bool all) {
    const auto blanks = std::min(first.find_first_not_of(' '), first.size());
    std::string out = wrapped(first.substr(0, blanks), indent, first.substr(blanks));
    out.back() = ' ';
    std::size_t column = out.size() - (out.rfind('\n') + 1);  // npos + 1 is 0
    std::size_t lines = 1;
    const std::string shown = printable(names, uncut);
    for (std::size_t at = 0; at < shown.size();) {
        const auto comma = std::min(shown.find(',', at), shown.size() - 1);
        const auto part = std::string_view(shown).substr(at, comma + 1 - at);
        if (column + part.size() > terminal_width - 3 && column > indent) {
            if (!all && lines == most_name_lines) {
                return out + "...\n";
            }
            out.resize(out.find_last_not_of(' ') + 1);
            out += "\n" + std::string(indent, ' ');
            column = indent;
            ++lines;
        }
        out += part;
        column += part.size();
        at = comma + 1;
    }
    return out + "\n";
}

std::string status_words(int exit_code) {
    return exit_code == exit_ok        ? "as wanted"
           : exit_code == exit_differs ? "NOT as wanted"
                                       : "CANNOT TELL";
}

std::string nodes_text(std::size_t count) {
    return counted(count, "node");
}

// Differences that say the same of several targets, as one.
struct ToldDifference {
    const FleetDifference* first = nullptr;
    std::vector<std::string> targets;
};

std::vector<ToldDifference> told(const std::vector<FleetDifference>& all) {
    std::set<std::tuple<std::string_view, std::string_view>> of_findings;
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> known;
    std::vector<ToldDifference> out;
    for (const auto& each : all) {
        const bool is_finding = each.of == FleetDifference::Of::finding;
        if (is_finding) {
            of_findings.insert({each.id, each.target});
        } else if (of_findings.contains({each.id, each.target})) {
            continue;  // the finding says it already
        }
        const auto [place, is_new] =
            known.try_emplace({each.id, each.here, each.others}, out.size());
        if (is_new) {
            out.push_back({&each, {}});
        }
        out[place->second].targets.push_back(each.target);
    }
    return out;
}

std::string targets_text(const std::vector<std::string>& targets) {
    if (targets.size() == 1) {
        return targets.front() == "system" ? "" : " " + targets.front();
    }
    return " " + targets.front() + " and " + number(targets.size() - 1) + " more";
}

class FleetText {
   public:
    FleetText(const FleetResult& fleet, Detail detail, Colour colour)
        : fleet_(fleet), detail_(detail), colour_(colour), all_(detail == Detail::everything) {}

    std::string text() {
        if (detail_ == Detail::quiet && fleet_.exit_code == exit_ok && fleet_.odd == 0) {
            return "";
        }
        head();
        for (const auto& group : fleet_.groups) {
            tell_group(group);
        }
        tallies();
        absent();
        since();
        remarks();
        return std::move(out_);
    }

   private:
    void head() {
        std::string line =
            nodes_text(fleet_.nodes.size()) + " in " + counted(fleet_.groups.size(), "group");
        if (fleet_.odd > 0) {
            line += "; " + number(fleet_.odd) + (fleet_.odd == 1 ? " stands" : " stand") + " out";
            if (fleet_.odd_but_ok > 0) {
                line += ", " + number(fleet_.odd_but_ok) + " of them though as wanted";
            }
        } else {
            line += "; none stands out";
        }
        out_ += styled(line, fleet_.odd > 0 ? Style::attention : Style::heading, colour_) + "\n";
        std::string counts = number(fleet_.with_status[exit_ok]) + " as wanted";
        for (const int status : {exit_differs, exit_unknown}) {
            if (fleet_.with_status[status] > 0) {
                counts += ", " + number(fleet_.with_status[status]) + " " + status_words(status);
            }
        }
        if (!fleet_.oldest.empty()) {
            counts += "; reports of " + fleet_.oldest +
                      (fleet_.oldest == fleet_.newest ? "" : " to " + fleet_.newest);
        }
        if (fleet_.superseded > 0) {
            counts += ", " + number(fleet_.superseded) + " superseded";
        }
        out_ += wrapped("", 2, counts);
        if (!fleet_.reference.empty()) {
            out_ += wrapped("", 2, "compared with " + fleet_.reference);
        }
    }

    void tell_group(const FleetGroup& group) {
        std::vector<std::string> parts{group.model.empty() ? "model not told" : group.model};
        if (!group.product.empty()) {
            parts.push_back(group.product);
        }
        for (const auto& [id, value] : group.by) {
            parts.push_back(id + " " + (value.empty() ? "not told" : value));
        }
        parts.push_back("profile " + (group.profiles.empty() ? "none" : group.profiles));
        out_ += "\n" + wrapped("", 2,
                               styled(printable(join(parts, ", "), uncut) + ": " +
                                          nodes_text(group.nodes.size()),
                                      Style::heading, Colour::no));
        std::size_t shown = 0;
        for (const auto& fold : group.folds) {
            if (detail_ == Detail::quiet && fold.differences.empty()) {
                continue;
            }
            if (!all_ && ++shown > most_folds) {
                out_ += "  and " + number(group.folds.size() - most_folds) + " more (-v)\n";
                break;
            }
            tell_fold(group, fold);
        }
        common(group);
        for (const auto& split : first_of(group.splits)) {
            tell_split(split);
        }
        more(group.splits.size());
    }

    void tell_fold(const FleetGroup& group, const FleetFold& fold) {
        const bool odd = group.has_baseline && !fold.differences.empty();
        const std::string first =
            "  " + number(fold.nodes.size()) + " " + status_words(fold.exit_code) + ": ";
        const std::string lines = name_lines(first, 6, fold.names, all_);
        out_ += odd ? styled(lines, Style::attention, colour_) : lines;
        const auto all = told(fold.differences);
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!all_ && at == most_differences) {
                out_ += "      and " + number(all.size() - at) + " more (-v)\n";
                return;
            }
            const FleetDifference& each = *all[at].first;
            out_ += wrapped(
                "      ", 8,
                std::string(each.id) + targets_text(all[at].targets) + ": " +
                    printable(each.here, longest_value) +
                    (group.has_baseline ? baseline_word() + printable(each.others, longest_value)
                                        : ""));
        }
    }

    const char* baseline_word() const {
        return fleet_.reference.empty() ? "; others " : "; reference ";
    }

    // What most nodes of a group have in common and is not as wanted.
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
            parts.push_back(std::string(id) + " " + std::string(outcome_word(outcome)) +
                            (count > 1 ? " on " + number(count) + " targets" : "") +
                            (level == Level::required ? " (required)" : ""));
        }
        if (!parts.empty() && detail_ != Detail::quiet) {
            const std::size_t left = all_ ? 0 : parts.size() - std::min(parts.size(), most_rows);
            parts.resize(parts.size() - left);
            out_ +=
                wrapped("  most of them: ", 6,
                        join(parts, ", ") + (left > 0 ? ", " + number(left) + " more (-v)" : ""));
        }
    }

    void tell_split(const FleetSplit& split) {
        std::vector<std::string> sides;
        for (const auto& side : first_of(split.sides)) {
            sides.push_back(printable(side.value, longest_value) + " on " + number(side.count));
        }
        out_ +=
            wrapped("  no majority: ", 6,
                    std::string(split.id) + (split.target == "system" ? "" : " " + split.target) +
                        ": " + join(sides, ", "));
    }

    void tallies() {
        if (fleet_.tallies.empty() || detail_ == Detail::quiet) {
            return;
        }
        out_ += "\n" + styled("findings over all nodes", Style::heading, colour_) + "\n";
        for (const auto& tally : first_of(fleet_.tallies)) {
            const std::string what =
                "  " + std::string(level_word(tally.level)) + " " + printable(tally.id, 60) + " " +
                std::string(outcome_word(tally.outcome)) +
                (tally.waived ? " (waived: " + printable(tally.ticket, 30) + ")" : "") + " on " +
                nodes_text(tally.nodes) + ": ";
            out_ += name_lines(what, 6, tally.names, all_);
        }
        more(fleet_.tallies.size());
    }

    void absent() {
        const auto tell = [&](std::size_t count, const char* what, const std::string& names) {
            if (count > 0) {
                out_ +=
                    "\n" + styled(name_lines(nodes_text(count) + " " + what + ": ", 6, names, all_),
                                  Style::unsure, colour_);
            }
        };
        tell(fleet_.missing_count, "missing (--expect)", fleet_.missing);
        tell(fleet_.stale_count, "with old reports only (--max-age)", fleet_.stale);
        tell(fleet_.unexpected_count, "not expected (--expect)", fleet_.unexpected);
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
        }
        more(since.changes.size());
        for (const auto& growth : first_of(since.growths)) {
            out_ +=
                wrapped("  ", 6,
                        std::string(fleet_.nodes[growth.node].name) + " " + std::string(growth.id) +
                            " " + std::string(growth.target) + ": " + std::string(growth.counter) +
                            " " + number(growth.was) + " -> " + number(growth.now) +
                            (growth.same_boot ? "" : " (perhaps of another boot)"));
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
