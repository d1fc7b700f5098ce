// SPDX-License-Identifier: MIT
#include <algorithm>

#include "help/explain/parts.h"
#include "help/explain/render.h"
#include "util/text.h"

namespace rocenv {

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
    const std::size_t margin = 2 + width + 2;
    const std::string left = apart ? "  " + name + "\n" : "";
    const std::string begin =
        apart ? std::string(margin, ' ') : "  " + name + std::string(margin - 2 - name.size(), ' ');
    return left + (row.set.empty() ? wrapped(begin, margin, row.says)
                                   : wrapped(begin, margin, row.set) +
                                         wrapped(std::string(margin, ' '), margin, row.says));
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
        out.line(level_word(wants.level), join(wants.ids, ", "));
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
