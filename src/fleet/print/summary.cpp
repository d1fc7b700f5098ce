// SPDX-License-Identifier: MIT
#include "fleet/print/summary.h"

#include <algorithm>

#include "fleet/print/row_sentence.h"
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

}  // namespace

void add_fleet_summary(Document& document, const FleetResult& fleet, Detail detail) {
    Summary(document, fleet, detail).add();
}

}  // namespace rocenv
