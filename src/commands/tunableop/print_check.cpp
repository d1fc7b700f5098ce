// SPDX-License-Identifier: MIT
// What tunableop check found.
#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "print/json_writer.h"
#include "print/layout.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string row_text(const TunableRow& row) {
    std::vector<std::string> parts;
    if (row.file) {
        parts.push_back(printable(*row.file, 120) + " in the file");
    }
    if (row.here) {
        parts.push_back(printable(*row.here, 120) + " here");
    }
    std::string out = row.name + " " + std::string(word_of(row.outcome));
    out += parts.empty() ? "" : ": " + join(parts, ", ");
    return printable(out, 400) + (row.detail.empty() ? "" : " (" + printable(row.detail) + ")");
}

class CheckText {
   public:
    CheckText(const TunableCheck& check, Detail detail, Colour colour)
        : check_(check), all_(detail == Detail::everything), colour_(colour) {}

    std::string text() {
        for (const auto& file : check_.files) {
            show(file);
        }
        for (const auto& set : check_.sets) {
            if (all_ || set.outcome != Outcome::ok) {
                head(set.outcome, set.name + " (" + counted(set.files, "file") + ")");
                out_ += wrapped("    ", 4, set.sentence);
            }
        }
        across();
        return std::move(out_);
    }

   private:
    void head(Outcome outcome, const std::string& name) {
        const Style style = outcome == Outcome::ok        ? Style::heading
                            : outcome == Outcome::differs ? Style::attention
                                                          : Style::unsure;
        out_ += printable(name) + ": " + styled(word_of(outcome), style, colour_) + "\n";
    }

    void show(const TunableJudgement& file) {
        head(file.outcome, file.path);
        out_ += wrapped("    ", 4, file.sentence);
        for (const auto& row : file.rows) {
            if (all_ || row.outcome == Outcome::unknown) {
                out_ += wrapped("    ", 6, row_text(row));
            }
        }
        if (all_ && file.kind == TunableKind::results) {
            out_ += wrapped("    ", 6,
                            counted(file.results, "result") + ", " + number(file.repeats.equal) +
                                " repeated, " + number(file.repeats.different) + " contradicted");
        }
    }

    // Each GPU has its own fastest solutions: worth a line, no fault.
    void across() {
        const auto& across = check_.across;
        if (across.equal + across.different > 0) {
            out_ += wrapped("", 4,
                            counted(across.equal + across.different, "result") +
                                " in more than one file, " + number(across.different) +
                                " with another solution" +
                                (across.example.empty() ? "" : " (" + across.example + ")"));
        }
    }

    const TunableCheck& check_;
    const bool all_;
    const Colour colour_;
    std::string out_;
};

void write_row(JsonWriter& json, const TunableRow& row) {
    json.open_object();
    json.text("name", row.name);
    json.text_or_null("file", row.file);
    json.text_or_null("here", row.here);
    json.text("outcome", word_of(row.outcome));
    json.text("detail", row.detail);
    json.close_object();
}

void write_file(JsonWriter& json, const TunableJudgement& file) {
    json.open_object();
    json.text("path", file.path);
    json.text("kind", word_of(file.kind));
    json.text("outcome", word_of(file.outcome));
    json.text("sentence", file.sentence);
    json.integer("results", std::uint64_t{file.results});
    json.integer("repeated", std::uint64_t{file.repeats.equal});
    json.integer("contradicted", std::uint64_t{file.repeats.different});
    json.open_array("validators");
    for (const auto& row : file.rows) {
        write_row(json, row);
    }
    json.close_array();
    json.open_array("faults");
    for (const auto& fault : file.faults) {
        json.text("", fault);
    }
    json.close_array();
    json.close_object();
}

void write_set(JsonWriter& json, const TunableSet& set) {
    json.open_object();
    json.text("name", set.name);
    json.integer("files", std::uint64_t{set.files});
    json.text("outcome", word_of(set.outcome));
    json.text("sentence", set.sentence);
    json.open_array("missing");
    for (const auto ordinal : set.missing) {
        json.integer("", std::uint64_t{ordinal});
    }
    json.close_array();
    json.open_array("disagree");
    for (const auto& name : set.disagree) {
        json.text("", name);
    }
    json.close_array();
    json.close_object();
}

}  // namespace

std::string render_tunable_check_human(const TunableCheck& check, Detail detail, Colour colour) {
    return detail == Detail::quiet ? std::string() : CheckText(check, detail, colour).text();
}

std::string render_tunable_check_json(const TunableCheck& check) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.tunableop-check/1");
    json.text("version", ROCENV_VERSION);
    json.integer("exit", static_cast<std::uint64_t>(check.exit_code));
    json.open_array("files");
    for (const auto& file : check.files) {
        write_file(json, file);
    }
    json.close_array();
    json.open_array("sets");
    for (const auto& set : check.sets) {
        write_set(json, set);
    }
    json.close_array();
    json.open_object("across_files");
    json.integer("repeated", std::uint64_t{check.across.equal});
    json.integer("different", std::uint64_t{check.across.different});
    json.close_object();
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
