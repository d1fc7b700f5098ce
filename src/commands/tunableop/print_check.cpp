// SPDX-License-Identifier: MIT
// Renderers of tunableop check.
#include <algorithm>

#include "commands/tunableop/tunable.h"
#include "json/out.h"
#include "json/schema.h"
#include "print/document.h"
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

}  // namespace

std::string render_tunable_check_human(const TunableCheck& check, Detail detail, Screen screen) {
    return detail == Detail::quiet ? std::string() : CheckText(check, detail).text(screen);
}

template <>
struct Described<TunableRow> {
    static void members(auto& at) {
        at.member("name", &TunableRow::name);
        at.member("file", &TunableRow::file, {.says = "null: not in the file"});
        at.member("here", &TunableRow::here, {.says = "null: not known"});
        at.member("outcome", &TunableRow::outcome, {.words = "ok|differs|unknown"});
        at.member("detail", &TunableRow::detail);
    }
};

template <>
struct Described<TunableJudgement> {
    using Of = TunableJudgement;
    static void members(auto& at) {
        at.member("path", &Of::path, {.filled = true});
        at.member("kind", &Of::kind);
        at.member("outcome", &Of::outcome, {.words = "ok|differs|unknown"});
        at.member("sentence", &Of::sentence, {.filled = true});
        at.member("results", &Of::results);
        at.member("repeated", [](const Of& of) { return of.repeats.equal; },
                  {.says = "lines that repeat an earlier one"});
        at.member(
            "contradicted", [](const Of& of) { return of.repeats.different; },
            {.says = "lines with another solution than an earlier one; the earlier one counts"});
        at.member("validators", &Of::rows);
        at.member("faults", &Of::faults, {.each_filled = true});
    }
};

template <>
struct Described<TunableSet> {
    static void members(auto& at) {
        at.member("name", &TunableSet::name, {.says = "%d stands for the number", .pattern = "%d"});
        at.member("files", &TunableSet::files, {.at_least = 2});
        at.member("outcome", &TunableSet::outcome, {.words = "ok|differs"});
        at.member("sentence", &TunableSet::sentence, {.filled = true});
        at.member("missing", &TunableSet::missing);
        at.member("disagree", &TunableSet::disagree, {.says = "names of validators"});
    }
};

template <>
struct Described<TunableRepeats> {
    static void members(auto& at) {
        at.member("repeated", &TunableRepeats::equal);
        at.member("different", &TunableRepeats::different, {.says = "with another solution"});
    }
};

template <>
struct Described<TunableCheck> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.tunableop-check/1");
        at.member("version", [](const TunableCheck&) { return ROCENV_VERSION; }, {.filled = true});
        at.member("exit", &TunableCheck::exit_code, {.words = "0|1|2|3"});
        at.member("files", &TunableCheck::files, {.filled = true});
        at.member("sets", &TunableCheck::sets,
                  {.says = "files that differ in the number of the GPU only"});
        at.member("across_files", &TunableCheck::across,
                  {.says = "results that another file has, too"});
    }
};

std::string render_tunable_check_json(const TunableCheck& check) {
    return json_text_of(check);
}

std::string tunable_check_schema() {
    return json_schema_of<TunableCheck>(
        "TunableOp result files against a node, from rocenv tunableop check --format json");
}

}  // namespace rocenv
