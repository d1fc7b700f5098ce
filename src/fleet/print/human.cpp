// SPDX-License-Identifier: MIT
// One page about all nodes: the summary, the facts without a majority, and remarks. With -v each
// group in detail.
#include <algorithm>
#include <map>
#include <tuple>

#include "fleet/fleet.h"
#include "fleet/print/render.h"
#include "fleet/print/sentences.h"
#include "print/document.h"
#include "util/exit_status.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::size_t most_summary_rows = 20;
constexpr std::size_t longest_names = 30;  // beside the sentence; longer ones are below it
constexpr std::size_t most_names_lines = 2;

// "1,684".
std::string grouped(std::size_t count) {
    std::string out = number(count);
    for (std::size_t at = out.size(); at > 3;) {
        at -= 3;
        out.insert(at, ",");
    }
    return out;
}

std::string nodes_of(std::size_t count) {
    return grouped(count) + (count == 1 ? " node" : " nodes");
}

struct KindWords {
    FleetRowKind kind;
    Tone tone;
    std::string_view word;
};

constexpr KindWords kind_words[] = {
    {FleetRowKind::fail, Tone::fail, "FAIL"},
    {FleetRowKind::unknown, Tone::unknown, "UNKNOWN"},
    {FleetRowKind::unjudged, Tone::unknown, "UNKNOWN"},
    {FleetRowKind::warn, Tone::warn, "WARN"},
    {FleetRowKind::outlier, Tone::warn, "outlier"},
};

const KindWords& words_for(FleetRowKind kind) {
    return *std::find_if(std::begin(kind_words), std::end(kind_words),
                         [&](const KindWords& each) { return each.kind == kind; });
}

// One line of the list before it is laid out.
struct SummaryLine {
    Tone tone;
    std::string word;
    std::size_t count;
    std::string names;
    std::string text;
    const FleetRow* row;  // nullptr: nodes without a report
};

class Summary {
   public:
    Summary(Document& document, const FleetResult& fleet, Detail detail)
        : document_(document), fleet_(fleet), detail_(detail) {}

    void add() {
        collect();
        head();
        const std::size_t shown = detail_ == Detail::everything
                                      ? lines_.size()
                                      : std::min(lines_.size(), most_summary_rows);
        for (std::size_t at = 0; at < shown; ++at) {
            measure(lines_[at]);
        }
        for (std::size_t at = 0; at < shown; ++at) {
            add(lines_[at]);
        }
        if (shown < lines_.size()) {
            document_.paragraph("and " + counted(lines_.size() - shown, "more row") +
                                " (-v lists all)");
        }
        everywhere();
    }

   private:
    std::size_t rows_of(FleetRowKind kind) const {
        std::size_t out = 0;
        for (const auto& row : fleet_.rows) {
            out += row.kind == kind ? 1 : 0;
        }
        return out;
    }
    std::size_t nodes_in(FleetRowKind kind) const {
        std::size_t out = 0;
        for (const auto& row : fleet_.rows) {
            out += row.kind == kind ? row.nodes.size() : 0;
        }
        return out;
    }

    void head() {
        const std::size_t all = fleet_.nodes.size() + fleet_.missing_count + fleet_.stale_count;
        std::string out = nodes_of(all);
        if (fleet_.unexpected_count > 0) {
            out += " (" + grouped(fleet_.unexpected_count) + " not expected)";
        } else if (fleet_.has_expected) {
            out += " expected";
        }
        std::vector<std::string> parts{grouped(fleet_.with_status[exit_ok]) + " pass"};
        add_part(parts, fleet_.with_status[exit_differs], " FAIL");
        add_part(parts, fleet_.with_status[exit_unknown], " unknown");
        add_part(parts, fleet_.unjudged, " not judged");
        add_part(parts, fleet_.missing_count, " MISSING");
        add_part(parts, fleet_.stale_count, " STALE");
        std::vector<std::string> rest{out + ": " + join(parts, ", ")};
        const std::size_t outliers = nodes_in(FleetRowKind::outlier);
        add_part(rest, outliers, outliers == 1 ? " outlier" : " outliers");
        if (detail_ != Detail::quiet) {
            const std::size_t advice = rows_of(FleetRowKind::warn);
            add_part(rest, advice,
                     advice == 1 ? " recommendation not met" : " recommendations not met");
        }
        add_part(rest, fleet_.without_majority,
                 fleet_.without_majority == 1 ? " fact without a majority"
                                              : " facts without a majority");
        add_part(rest, fleet_.uncompared_count, " not compared");
        add_part(rest, fleet_.unread_inputs,
                 fleet_.unread_inputs == 1 ? " input not read" : " inputs not read");
        document_.margin(0, 2);
        document_.heading(join(rest, "; "), tone_of_verdict(outliers + fleet_.without_majority));
        document_.margin(0);
    }

    // Returns the severity of the verdict: a fleet that passes and has outliers is a warning.
    Tone tone_of_verdict(std::size_t differing) const {
        return fleet_.exit_code == exit_differs   ? Tone::fail
               : fleet_.exit_code == exit_unknown ? Tone::unknown
               : differing == 0                   ? Tone::pass
                                                  : Tone::warn;
    }

    static void add_part(std::vector<std::string>& parts, std::size_t count, const char* what) {
        if (count > 0) {
            parts.push_back(grouped(count) + what);
        }
    }

    void collect() {
        if (fleet_.missing_count > 0) {
            lines_.push_back({Tone::fail, "MISSING", fleet_.missing_count, fleet_.missing,
                              "no report", nullptr});
        }
        if (fleet_.stale_count > 0) {
            lines_.push_back({Tone::unknown, "STALE", fleet_.stale_count, fleet_.stale,
                              "only reports that are older than --max-age", nullptr});
        }
        for (const auto& row : fleet_.rows) {
            if (row.kind == FleetRowKind::warn && (is_common(row) || detail_ == Detail::quiet)) {
                continue;
            }
            const KindWords& words = words_for(row.kind);
            lines_.push_back({words.tone, std::string(words.word), row.nodes.size(), row.names,
                              row_sentence(fleet_, row), &row});
        }
    }

    bool is_common(const FleetRow& row) const {
        return row.kind == FleetRowKind::warn && fleet_.nodes.size() > 1 &&
               row.nodes.size() == fleet_.nodes.size();
    }

    static bool is_beside(const SummaryLine& line) { return line.names.size() <= longest_names; }

    void measure(const SummaryLine& line) {
        counts_ = std::max(counts_, nodes_of(line.count).size());
        if (is_beside(line)) {
            names_ = std::max(names_, line.names.size());
        }
    }

    void add(const SummaryLine& line) {
        std::string name = nodes_of(line.count);
        if (is_beside(line)) {
            name.resize(counts_ + 2, ' ');
            name += line.names;
            name.resize(counts_ + 2 + names_, ' ');
        }
        document_.entry(line.tone, line.word, name, line.text);
        if (!is_beside(line)) {
            document_.names_under(line.names,
                                  detail_ == Detail::everything ? uncut : most_names_lines);
        }
        if (detail_ == Detail::everything && line.row != nullptr) {
            for (const auto& step : line.row->steps) {
                add_step(step);
            }
        }
    }

    // Each part of a step on a line of its own, below its model.
    void add_step(const FleetStep& step) {
        std::string label = "next";
        if (!step.model.empty()) {
            document_.field(label, "on " + step.model + ":");
            label.clear();
        }
        std::string_view rest = step.fix;
        while (!rest.empty()) {
            const auto end = std::min(rest.find("; "), rest.size());
            document_.command(label, std::string(rest.substr(0, end)));
            rest.remove_prefix(std::min(end + 2, rest.size()));
            label.clear();
        }
    }

    void everywhere() {
        for (const auto& row : fleet_.rows) {
            if (is_common(row) && detail_ != Detail::quiet) {
                document_.paragraph("all " + nodes_of(row.nodes.size()) + ": " +
                                    row_sentence(fleet_, row) + " (recommended)");
            }
        }
    }

    Document& document_;
    const FleetResult& fleet_;
    const Detail detail_;
    std::vector<SummaryLine> lines_;
    std::size_t counts_ = 0;
    std::size_t names_ = 0;
};

// Adds the verdict and at most 20 rows, largest first within their word; all of them and their
// next steps with Detail::everything, no recommendations with Detail::quiet.
void add_fleet_summary(Document& document, const FleetResult& fleet, Detail detail) {
    Summary(document, fleet, detail).add();
}

constexpr std::size_t most_splits = 10;  // in one group, without -v
constexpr std::size_t most_rows = 20;    // in any other list
constexpr std::size_t most_name_lines = 3;
constexpr std::size_t longest_value = 60;
constexpr std::size_t longest_side = 120;  // for one side

std::string status_words(int exit_code) {
    return exit_code == exit_ok ? "pass" : exit_code == exit_differs ? "FAIL" : "UNKNOWN";
}

std::string nodes_text(std::size_t count) {
    return counted(count, "node");
}

std::string more_text(std::size_t count) {
    return "and " + number(count) + " more";
}

class FleetText {
   public:
    FleetText(const FleetResult& fleet, Detail detail)
        : fleet_(fleet),
          detail_(detail),
          all_(detail == Detail::everything),
          name_lines_(all_ ? uncut : most_name_lines) {}

    std::string text(Screen screen) {
        if (detail_ == Detail::quiet && fleet_.exit_code == exit_ok && fleet_.outliers == 0 &&
            fleet_.without_majority == 0) {
            return "";
        }
        add_fleet_summary(out_, fleet_, detail_);
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
        return out_.text(screen);
    }

   private:
    void paragraph(std::size_t margin, std::size_t hang, std::string text) {
        out_.margin(margin, hang);
        out_.paragraph(std::move(text));
    }

    void names(std::size_t margin, std::size_t hang, std::string text, const std::string& list,
               Tone tone = Tone::none) {
        out_.margin(margin, hang);
        out_.names(std::move(text), list, name_lines_, tone);
    }

    // Lists the facts of each group that have no majority.
    void disagreements() {
        if (std::any_of(fleet_.groups.begin(), fleet_.groups.end(),
                        [](const FleetGroup& group) { return !group.splits.empty(); })) {
            out_.blank();
        }
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
        out_.blank();
        out_.margin(0, 2);
        out_.heading(join(parts, ", ") + ": " + nodes_text(group.nodes.size()));
        for (const auto& fold : group.folds) {
            add_fold(fold);
        }
        common(group);
        list_splits(group);
    }

    void list_splits(const FleetGroup& group) {
        const auto all = printed(group.splits);
        for (std::size_t at = 0; at < all.size(); ++at) {
            if (!all_ && at == most_splits) {
                paragraph(2, 4, more_text(all.size() - at) + " without a majority (-v)");
                return;
            }
            add_split(all[at], group.has_baseline);
        }
    }

    void add_fold(const FleetFold& fold) {
        const bool is_outlier = !fold.differences.empty();
        names(2, 4,
              number(fold.nodes.size()) + " " +
                  (fold.judged ? status_words(fold.exit_code) : "not judged") +
                  (fold.container ? " in a container:" : ":"),
              fold.names, is_outlier ? Tone::warn : Tone::none);
        if (!fold.because.empty()) {
            paragraph(6, 2, because_text(fold.because));
        }
        if (!fold.beside.empty()) {
            paragraph(6, 2, std::string(fold.beside));
        }
        for (const auto& [first_of_kind, targets] : printed(fold.differences)) {
            const FleetDifference& each = *first_of_kind;
            paragraph(6, 2,
                      (each.level ? std::string(word_of(*each.level)) + " " : "") +
                          std::string(each.id) + targets_text(targets) + ": " +
                          printable(each.here, longest_value) + baseline_word(each) +
                          printable(each.others, longest_value));
        }
    }

    const char* baseline_word(const FleetDifference& each) const {
        return fleet_.reference.empty() || each.by_majority ? "; others " : "; reference ";
    }

    // Adds the findings of most nodes of a group that are not as expected.
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
            paragraph(
                2, 4,
                (group.findings_compared ? "most nodes: " : "not compared: ") + join(parts, ", "));
        }
    }

    // Adds a fact without a majority; two nodes without peers have none and differ.
    void add_split(const PrintedSplit& split, bool of_many) {
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
                    ? " " + more_text(split.first->sides.size() - most_rows) + " (-v)"
                    : "";
        paragraph(2, 4, (of_many ? "no majority: " : "they differ: ") + line + rest);
    }

    void tallies() {
        if (fleet_.tallies.empty()) {
            return;
        }
        out_.blank();
        out_.margin(0);
        out_.heading("Findings over all nodes");
        for (const auto& tally : fleet_.tallies) {
            names(2, 4,
                  std::string(word_of(tally.level)) + " " + printable(tally.id, 60) + " " +
                      std::string(word_of(tally.outcome)) +
                      (tally.waived ? " (waived: " + printable(tally.ticket, 30) + ")" : "") +
                      " on " + nodes_text(tally.nodes) + ":",
                  tally.names);
            for (const auto& step : tally.steps) {
                paragraph(6, 2,
                          "next: " + (step.model.empty() ? "" : step.model + ": ") +
                              std::string(step.fix));
            }
        }
    }

    void absent() {
        const auto add = [&](std::size_t count, const std::string& what, const std::string& list) {
            if (count > 0) {
                out_.blank();
                names(0, 6, nodes_text(count) + " " + what + ":", list, Tone::unknown);
            }
        };
        add(fleet_.unexpected_count, "not expected (--expect)", fleet_.unexpected);
        for (const auto& each : fleet_.uncompared) {
            add(each.count, "not compared, " + each.why, each.names);
        }
    }

    // Prints which reports these are, and what they were compared with.
    void origin() {
        if (detail_ == Detail::quiet || fleet_.oldest.empty()) {
            return;
        }
        out_.blank();
        paragraph(
            0, 2,
            counted(fleet_.groups.size(), "group") + "; reports of " + fleet_.oldest +
                (fleet_.oldest == fleet_.newest ? "" : " to " + fleet_.newest) +
                (fleet_.superseded > 0 ? ", " + number(fleet_.superseded) + " superseded" : "") +
                (fleet_.reference.empty() ? "" : "; compared with " + fleet_.reference) +
                (all_ ? "" : " (-v lists all)"));
    }

    void since() {
        if (!fleet_.since) {
            return;
        }
        const FleetSince& since = *fleet_.since;
        out_.blank();
        out_.margin(0, 2);
        out_.paragraph(Tone::heading, "since " + printable(since.folder, 60),
                       ": " + number(since.unchanged) + " unchanged");
        if (since.added_count > 0) {
            names(2, 4, number(since.added_count) + " new:", since.added);
        }
        if (since.gone_count > 0) {
            names(2, 4, number(since.gone_count) + " gone:", since.gone);
        }
        for (const auto& change : first_of(since.changes)) {
            add_change(change);
        }
        more(since.changes.size());
        for (const auto& growth : first_of(since.growths)) {
            paragraph(2, 4,
                      std::string(fleet_.nodes[growth.node].name) + " " + std::string(growth.id) +
                          " " + std::string(growth.target) + ": " + std::string(growth.counter) +
                          " " + number(growth.was) + " -> " + number(growth.now) +
                          (growth.same_boot     ? ""
                           : growth.boots_known ? " (of another boot)"
                                                : " (perhaps of another boot)"));
        }
        more(since.growths.size());
    }

    void add_change(const FleetSince::Change& change) {
        names(2, 4, number(change.nodes.size()) + " changed:", change.names);
        const auto differences = printed(change.differences);
        for (const auto& each : first_of(differences)) {
            paragraph(6, 2,
                      std::string(each.first->id) + targets_text(each.targets) + ": was " +
                          printable(each.first->others, longest_value) + ", now " +
                          printable(each.first->here, longest_value));
        }
        more(differences.size());
    }

    void remarks() {
        if (!fleet_.warnings.empty() || !fleet_.problems.empty()) {
            out_.blank();
        }
        for (const auto& warning : fleet_.warnings) {
            const auto colon = warning.find(": ");
            if (colon == std::string::npos) {
                paragraph(0, 2, warning);
            } else {
                names(0, 2, warning.substr(0, colon + 1), warning.substr(colon + 2));
            }
        }
        for (const auto& problem : first_of(fleet_.problems)) {
            const std::string place =
                problem.file + (problem.line > 0 ? ":" + number(problem.line) : "");
            paragraph(0, 2, printable(place, 120) + ": " + problem.text);
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
            paragraph(2, 4, more_text(rows - most_rows) + " (-v)");
        }
    }

    const FleetResult& fleet_;
    const Detail detail_;
    const bool all_;
    const std::size_t name_lines_;
    Document out_;
};

}  // namespace

std::string render_fleet_human(const FleetResult& fleet, Detail detail, Screen screen) {
    return FleetText(fleet, detail).text(screen);
}

}  // namespace rocenv
