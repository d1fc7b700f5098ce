// SPDX-License-Identifier: MIT
#include "help/explain/render.h"
#include "json/out.h"
#include "json/schema.h"
#include "report/model/consequences.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

namespace {

constexpr JsonNote filled_note{.filled = true};

// Returns the remedy of a judged finding that does not pass.
std::optional<Remedy> remedy_here(const Finding& finding, bool judged) {
    return judged && !is_quiet(finding.outcome) ? std::optional(remedy_of(Report(), finding))
                                                : std::nullopt;
}

std::string release_text(const SearchedRelease& release) {
    return std::string(release.version) +
           (release.branch.empty() ? "" : "~" + std::string(release.branch));
}

}  // namespace

template <>
struct Described<ProfileUse> {
    static void members(auto& at) {
        at.member("value",
                  [](const ProfileUse& use) {
                      return use.is_unset ? std::nullopt : std::optional(use.value);
                  },
                  {.says = "of a setting in TOML, of a variable its text; null: the variable must "
                           "not be set"});
        at.member("level", &ProfileUse::level);
        at.or_null("when", &ProfileUse::when, {.says = "null: always", .filled = true});
        at.member("names", &ProfileUse::profiles, {.filled = true, .each_filled = true});
    }
};

template <>
struct Described<DefaultFrom> {
    static void members(auto& at) {
        at.member("from", &DefaultFrom::version, filled_note);
        at.member("value", &DefaultFrom::value);
    }
};

template <>
struct Described<SearchedReleases> {
    static void members(auto& at) {
        at.member("date", &SearchedReleases::date, filled_note);
        at.member("source", &SearchedReleases::source);
        at.member("releases",
                  [](const SearchedReleases& list) {
                      std::vector<std::string> out;
                      for (const auto& release : list.releases) {
                          out.push_back(release_text(release));
                      }
                      return out;
                  },
                  {.each_filled = true});
    }
};

template <>
struct Described<VariableForm> {
    static void members(auto& at) {
        at.or_null(
            "version", &VariableForm::version,
            {.says = "from this version of the package on; null: from the first", .filled = true});
        at.member("parser", &VariableForm::parser, filled_note);
        at.member("values", &VariableForm::values,
                  {.says = "the only texts that make sense; empty: any"});
    }
};

template <>
struct Described<VariableReader> {
    using Reader = VariableReader;
    static void members(auto& at) {
        at.or_null("program", &Reader::searched,
                   {.says = "its releases were searched for the variable", .filled = true});
        at.or_null("package", &Reader::package,
                   {.says = "its version decides; null: none does", .filled = true});
        at.or_null("since", &Reader::since,
                   {.says = "first version that reads it; ~: a branch on its way", .filled = true});
        at.or_null("until", &Reader::until,
                   {.says = "first version that no longer reads it", .filled = true});
        at.member("default", &Reader::fallback,
                  {.says = "the text with the effect of leaving it unset"});
        at.member("defaults", &Reader::defaults,
                  {.says = "by version of the package, over default"});
        at.member("forms", &Reader::forms,
                  {.says = "how it reads the text, by version; empty: as parser and values say"});
        at.member("looked_at",
                  [](const Reader& reader) { return searched_releases(reader.searched); },
                  {.says = "the searched releases; null: none"});
    }
};

template <>
struct Described<TextMeaning> {
    static void members(auto& at) {
        at.member("makes", &TextMeaning::makes,
                  {.says = "as_written: each text stands for itself; ignored: the same as unset; "
                           "failure: the reader fails; depends: on a version that is not known"});
        at.member("value",
                  [](const TextMeaning& meaning) {
                      return meaning.makes == Makes::value ? std::optional(meaning.value)
                                                           : std::nullopt;
                  },
                  {.says = "for makes = value: true, false, a number or a text"});
        at.or_null("note", &TextMeaning::note, filled_note);
        at.member("texts", &TextMeaning::texts, filled_note);
    }
};

template <>
struct Described<Contradiction> {
    static void members(auto& at) {
        at.member("when", [](const Contradiction& each) { return each.conflict.when; });
        at.member(
            "says", [](const Contradiction& each) { return each.conflict.says; }, filled_note);
        at.member("source", [](const Contradiction& each) { return each.conflict.source; });
        at.member("holds", &Contradiction::holds, {.says = "here"});
    }
};

template <>
struct Described<VariableHere::Installed> {
    using Installed = VariableHere::Installed;
    static void members(auto& at) {
        at.member("package", &Installed::package, filled_note);
        at.member("version", &Installed::version, {.says = "null: none was found", .filled = true});
        at.or_null("from", &Installed::from,
                   {.says = "the file that says so, or why none was found", .filled = true});
    }
};

// The value of a secret is not in there.
template <>
struct Described<VariableHere> {
    using Here = VariableHere;
    static void members(auto& at) {
        at.member("set", &Here::is_set);
        at.member("value", [](const Here& here) { return here.state.value; },
                  {.says = "null: not set, or a secret"});
        at.member("effective", [](const Here& here) { return here.state.effective; },
                  {.says = "as in a report; null: a secret"});
        at.member("misread", [](const Here& here) { return here.state.misread; });
        at.member("faults", [](const Here& here) { return here.state.faults; });
        at.or_null(
            "remark", [](const Here& here) { return here.state.remark; }, filled_note);
        at.or_null(
            "next", [](const Here& here) { return here.state.advice; }, filled_note);
        at.member("installed", &Here::installed);
        at.or_null(
            "by_version", &Here::by_version,
            {.says = "these do not read it, or were not searched; null: they do", .filled = true});
    }
};

template <>
struct Described<VariableExplanation> {
    using About = VariableExplanation;
    static void members(auto& at) {
        at.constant("kind", "variable");
        at.member(
            "name",
            [](const About& about) {
                return about.as.empty() ? about.variable.name : std::string_view(about.as);
            },
            filled_note);
        at.member("catalogued_as", [](const About& about) { return about.variable.name; },
                  {.says = "differs from the name for one of several numbered variables",
                   .filled = true});
        at.member("means", [](const About& about) { return about.variable.doc; });
        at.or_null(
            "note", [](const About& about) { return about.variable.note; }, filled_note);
        at.member("reader", [](const About& about) { return about.variable.reader; });
        at.member("read_by", [](const About& about) { return about.variable.read_by; },
                  {.says = "every program that reads it", .filled = true});
        at.or_null(
            "renamed", [](const About& about) { return about.variable.renamed; }, filled_note);
        at.or_null("status", [](const About& about) { return about.variable.status; },
                   {.words = "deprecated|removed|no-effect|uncertain|mistake"});
        of_texts(at);
        at.member("contradictions", &About::contradictions);
        at.member("profiles", &About::uses, uses_note);
        at.member("source", [](const About& about) { return about.variable.source; });
        at.member("here", &About::here);
    }

    static constexpr JsonNote uses_note{
        .says = "profiles by the value that they expect, inherited or their own, on any machine"};

   private:
    static void of_texts(auto& at) {
        at.member("type", [](const About& about) { return about.variable.type; },
                  {.words = "bool|int|float|path|enum|list|string|secret"});
        at.or_null(
            "min", [](const About& about) { return about.variable.min; }, filled_note);
        at.or_null(
            "max", [](const About& about) { return about.variable.max; }, filled_note);
        at.or_null(
            "unit", [](const About& about) { return about.variable.unit; }, filled_note);
        at.or_null("pattern", [](const About& about) { return about.variable.pattern; },
                   {.says = "POSIX extended regular expression", .filled = true});
        at.member("values", [](const About& about) { return about.variable.values; },
                  {.says = "the only texts that make sense; empty: any"});
        at.member("parser", [](const About& about) { return about.variable.parser; });
        at.or_null("parser_takes", &About::parser, filled_note);
        at.or_null("parser_source", &About::parser_source, filled_note);
        at.member(
            "meanings", &About::meanings,
            {.says = "example texts by what the variable's own parser makes of them; empty for a "
                     "secret"});
        at.or_null("misread", &About::misread,
                   {.says = "a text that the parser takes for another value", .filled = true});
        at.or_null("default_note", [](const About& about) { return about.variable.fallback_note; },
                   {.says = "the effect of leaving it unset, if no text has it", .filled = true});
        at.or_null("needs", [](const About& about) { return about.variable.needs; },
                   {.says = "NAME=TEXT", .filled = true});
        at.or_null("leftover", [](const About& about) { return about.variable.leftover; },
                   {.words = "debug|dump|trace"});
    }
};

template <>
struct Described<WrittenPlace> {
    static void members(auto& at) {
        at.member("path", &WrittenPlace::path, filled_note);
        at.member("bytes", &WrittenPlace::bytes, filled_note);
    }
};

template <>
struct Described<Grade> {
    static void members(auto& at) {
        at.member("name", &Grade::name, filled_note);
        at.member("at_most", &Grade::at_most);
        at.member("why", &Grade::why);
    }
};

// A finding, judged or only read.
struct FindingHere {
    const Finding& finding;
    bool judged = false;
};
template <>
struct Described<FindingHere> {
    using Here = FindingHere;
    static void members(auto& at) {
        at.member(
            "target", [](const Here& here) { return here.finding.target; }, filled_note);
        at.member("level",
                  [](const Here& here) {
                      return here.judged ? std::optional(here.finding.level) : std::nullopt;
                  },
                  {.says = "null: not judged"});
        at.or_null("outcome",
                   [](const Here& here) {
                       const bool read = here.finding.have && !here.judged;
                       return read ? std::string_view() : word_of(here.finding.outcome);
                   },
                   {.says = "null: read, and not judged", .words = "ok|na|hidden|unknown|differs"});
        at.maybe("reason", [](const Here& here) {
            return here.finding.outcome == Outcome::unknown ? std::optional(here.finding.reason)
                                                            : std::nullopt;
        });
        at.member("want", [](const Here& here) { return here.finding.expected; });
        at.member("have", [](const Here& here) { return here.finding.have; });
        at.member("detail", [](const Here& here) { return here.finding.detail; });
        at.or_null(
            "next", [](const Here& here) { return here.finding.fix; }, filled_note);
        at.maybe("action",
                 [](const Here& here) {
                     const auto of = remedy_here(here.finding, here.judged);
                     return of ? std::optional(of->action) : std::nullopt;
                 },
                 {.says = "as in a report; only if the outcome is not ok"});
        at.maybe("jobs",
                 [](const Here& here) {
                     const auto of = remedy_here(here.finding, here.judged);
                     return of ? std::optional(of->jobs) : std::nullopt;
                 },
                 {.says = "as in a report, of what is not ok"});
        at.member("count", [](const Here& here) { return here.finding.count; }, {.at_least = 1});
        at.member("waived",
                  [](const Here& here) {
                      return here.finding.waived ? std::optional(here.finding.waived->ticket)
                                                 : std::nullopt;
                  },
                  {.says = "the ticket"});
    }
};

template <>
struct Described<SettingHere> {
    using Here = SettingHere;
    static void members(auto& at) {
        at.member("profiles", &Here::profiles, {.says = "requested, or chosen by auto"});
        at.member("judged", &Here::judged,
                  {.says = "the profiles name the setting; false: the findings are only read"});
        at.or_null("not_read", &Here::not_read, {.says = "why it was not read", .filled = true});
        at.member("findings", [](const Here& here) {
            std::vector<FindingHere> out;
            for (const auto& finding : here.findings) {
                out.push_back({finding, here.judged});
            }
            return out;
        });
    }
};

template <>
struct Described<SettingExplanation> {
    using About = SettingExplanation;
    static void members(auto& at) {
        at.constant("kind", "setting");
        at.member(
            "name", [](const About& about) { return about.info->id; }, filled_note);
        at.member(
            "means", [](const About& about) { return about.info->summary; }, filled_note);
        at.member(
            "why", [](const About& about) { return about.info->why; }, filled_note);
        at.member(
            "takes", [](const About& about) { return forms_text(about.info->forms); }, filled_note);
        at.member(
            "target", [](const About& about) { return about.info->target; }, filled_note);
        at.member("scope", [](const About& about) { return about.info->scope; });
        at.member(
            "read_from", [](const About& about) { return about.info->read_from; }, filled_note);
        at.member("only_when_named", [](const About& about) { return about.info->only_when_named; },
                  {.says = "read only where a profile names it"});
        at.or_null("set_by", [](const About& about) { return about.info->set_by; },
                   {.says = "null: check only", .filled = true});
        at.member("writes", writes, {.says = "patterns of everything that set can write"});
        of_keeping(at);
        at.member("grades", [](const About& about) { return about.info->grades; },
                  {.says = "rules that can lower the level of a finding"});
        at.member("profiles", &About::uses, Described<VariableExplanation>::uses_note);
        at.member(
            "source", [](const About& about) { return about.info->source; }, filled_note);
        at.member("here", &About::here);
    }

   private:
    static std::vector<WrittenPlace> writes(const About& about) {
        std::vector<WrittenPlace> out;
        for (const auto& place : about.info->places) {
            if (!place.bytes.empty()) {
                out.push_back(place);
            }
        }
        return out;
    }
    static void of_keeping(auto& at) {
        at.member("persist", [](const About& about) { return about.info->persist; });
        at.member(
            "kept_by", &About::kept_by,
            {.says = "what keeps the value of the first profile over a reboot, with its place"});
        at.member("after_reboot", [](const About& about) { return about.info->after_reboot; },
                  {.says = "a change shows after a reboot"});
        at.member("risk", [](const About& about) { return about.info->risk; });
        at.or_null(
            "risk_note", [](const About& about) { return about.info->risk_note; }, filled_note);
        at.or_null(
            "by_hand", [](const About& about) { return about.info->next_step; }, filled_note);
    }
};

template <>
struct Described<ProfileExplanation> {
    using About = ProfileExplanation;
    static void members(auto& at) {
        at.constant("kind", "profile");
        at.member("name", &About::name, filled_note);
        at.or_null("means", &About::summary, filled_note);
        at.or_null("file", &About::file, filled_note);
        at.member("for", &About::matches, {.says = "empty: any node"});
        at.member("extends", &About::extends);
        at.member("extended_by", &About::extended_by);
        at.member(
            "wants", ids_by_level,
            {.says = "ids by level", .keys = R"({ "enum": ["required", "recommended", "info"] })"});
        at.member("also", &About::also, {.says = "further needs that rocenv cannot set"});
        at.member("faults", &About::faults, {.says = "faults of its text"});
        at.member("usable", [](const About& about) { return !about.is_bad; });
        at.or_null("here", &About::here, filled_note);
    }

   private:
    using IdsByLevel = std::vector<std::pair<std::string_view, std::vector<std::string>>>;
    static IdsByLevel ids_by_level(const About& about) {
        IdsByLevel out;
        for (const auto& expectations : about.expectations) {
            out.emplace_back(word_of(expectations.level), expectations.ids);
        }
        return out;
    }
};

template <>
struct Described<WordExplanation> {
    using About = WordExplanation;
    static void members(auto& at) {
        at.member("kind", &About::kind, {.words = "outcome|reason|level|mark|name|finding|status"});
        at.member("name", &About::word, filled_note);
        at.member("means", &About::means, filled_note);
        at.or_null("counts", &About::counts, {.says = "effect on the exit status", .filled = true});
        at.or_null("next", &About::next, filled_note);
    }
};

template <>
struct Described<UnknownWord> {
    static void members(auto& at) {
        at.member("word", &UnknownWord::word);
        at.member("says", &UnknownWord::says, filled_note);
    }
};

struct ExplainContext {
    std::string facts_of;
};

template <>
struct Described<Explanations> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.explain/1");
        at.member(
            "version", [](const Explanations&) { return ROCENV_VERSION; }, filled_note);
        at.member(
            "facts_of",
            [](const Explanations&, const ExplainContext& context) { return context.facts_of; },
            {.says = "the oldest day of the searches for variables",
             .pattern = "^20[0-9]{2}-[0-9]{2}-[0-9]{2}$"});
        at.member("explanations", &Explanations::all,
                  {.says = "in the order of the words; of a glob or search settings, variables, "
                           "profiles, words of reports"});
        at.member("unknown", &Explanations::unknown, {.says = "unknown words"});
        at.member("notes", &Explanations::notes);
    }
};

std::string render_explain_json(const Explanations& explanations, const std::string& facts_of) {
    return json_text_of(explanations, ExplainContext{facts_of});
}

std::string explain_schema() {
    return json_schema_of<Explanations, ExplainContext>(
        "What settings, variables, profiles and words of reports are, from rocenv explain "
        "--format json");
}

}  // namespace rocenv
