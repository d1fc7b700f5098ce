// SPDX-License-Identifier: MIT
// What tunableop check found.
#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "print/document.h"
#include "json/writer.h"
#include "util/text.h"

namespace rocenv {

namespace {

Severity word_for(Outcome outcome) {
    return outcome == Outcome::ok        ? Severity{Tone::pass, "PASS"}
           : outcome == Outcome::differs ? Severity{Tone::fail, "FAIL"}
                                         : Severity{Tone::unknown, "UNKNOWN"};
}

std::string row_text(const TunableRow& row) {
    std::vector<std::string> parts;
    if (row.file) {
        parts.push_back(printable(*row.file, 120) + " in the file");
    }
    if (row.here) {
        parts.push_back(printable(*row.here, 120) + " here");
    }
    std::string out = word_for(row.outcome).word;
    out += parts.empty() ? "" : ": " + join(parts, ", ");
    return printable(out, 400) + (row.detail.empty() ? "" : " (" + printable(row.detail) + ")");
}

class CheckText {
   public:
    CheckText(const TunableCheck& check, Detail detail)
        : check_(check), all_(detail == Detail::everything) {}

    std::string text(Screen screen) {
        for (const auto& file : check_.files) {
            add(file);
        }
        for (const auto& set : check_.sets) {
            if (all_ || set.outcome != Outcome::ok) {
                entry(set.outcome, set.name + " (" + counted(set.files, "file") + ")",
                      set.sentence);
            }
        }
        across();
        return document_.text(screen);
    }

   private:
    void entry(Outcome outcome, const std::string& name, const std::string& sentence) {
        const auto [tone, word] = word_for(outcome);
        document_.entry(tone, word, name, "");
        document_.under(sentence);
    }

    void add(const TunableJudgement& file) {
        entry(file.outcome, file.path, file.sentence);
        for (const auto& row : file.rows) {
            if (all_ || row.outcome == Outcome::unknown) {
                document_.field(row.name, row_text(row));
            }
        }
        if (all_ && file.kind == TunableKind::results) {
            document_.field("results", number(file.results) + ", " + number(file.repeats.equal) +
                                           " repeated, " + number(file.repeats.different) +
                                           " contradicted");
        }
    }

    // Each GPU has its own fastest solutions: worth a line, no fault.
    void across() {
        const auto& across = check_.across;
        if (across.equal + across.different > 0) {
            document_.paragraph(counted(across.equal + across.different, "result") +
                                " in more than one file, " + number(across.different) +
                                " with another solution" +
                                (across.example.empty() ? "" : " (" + across.example + ")"));
        }
    }

    const TunableCheck& check_;
    const bool all_;
    Document document_;
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

std::string render_tunable_check_human(const TunableCheck& check, Detail detail, Screen screen) {
    return detail == Detail::quiet ? std::string() : CheckText(check, detail).text(screen);
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
