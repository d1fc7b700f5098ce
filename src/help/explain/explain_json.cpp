// SPDX-License-Identifier: MIT
#include "help/explain/render.h"
#include "json/writer.h"
#include "report/model/consequences.h"
#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

namespace {

std::optional<std::string> filled(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(std::string(text));
}

template <typename Each>
void write_texts(JsonWriter& json, std::string_view key, const std::vector<Each>& texts) {
    json.open_array(key);
    for (const auto& text : texts) {
        json.text("", text);
    }
    json.close_array();
}

void write_uses(JsonWriter& json, const std::vector<ProfileUse>& uses) {
    json.open_array("profiles");
    for (const auto& use : uses) {
        json.open_object();
        json.text_or_null("value", use.is_unset ? std::nullopt : std::optional(use.value));
        json.text("level", word_of(use.level));
        json.text_or_null("when", filled(use.when));
        write_texts(json, "names", use.profiles);
        json.close_object();
    }
    json.close_array();
}

void write_defaults(JsonWriter& json, const std::optional<std::string_view>& fallback,
                    const std::vector<DefaultFrom>& defaults) {
    json.text_or_null("default", fallback ? std::optional(std::string(*fallback)) : std::nullopt);
    json.open_array("defaults");
    for (const auto& from : defaults) {
        json.open_object();
        json.text("from", from.version);
        json.text("value", from.value);
        json.close_object();
    }
    json.close_array();
}

void write_looked_at(JsonWriter& json, std::string_view program) {
    const auto list = looked_at(program);
    if (!list) {
        json.null("looked_at");
        return;
    }
    json.open_object("looked_at");
    json.text("date", list->date);
    json.text("source", list->source);
    json.open_array("releases");
    for (const auto& release : list->releases) {
        json.text("", release.branch.empty()
                          ? std::string(release.version)
                          : std::string(release.version) + "~" + std::string(release.branch));
    }
    json.close_array();
    json.close_object();
}

void write_readers(JsonWriter& json, const std::vector<VariableReader>& readers) {
    json.open_array("read_by");
    for (const auto& reader : readers) {
        json.open_object();
        json.text_or_null("program", filled(reader.looked_at));
        json.text_or_null("package", filled(reader.package));
        json.text_or_null("since", filled(reader.since));
        json.text_or_null("until", filled(reader.until));
        write_defaults(json, reader.fallback, reader.defaults);
        write_looked_at(json, reader.looked_at);
        json.close_object();
    }
    json.close_array();
}

void write_meanings(JsonWriter& json, const std::vector<TextMeaning>& meanings) {
    json.open_array("meanings");
    for (const auto& meaning : meanings) {
        json.open_object();
        json.text("makes", word_of(meaning.makes));
        json.text_or_null(
            "value", meaning.makes == Makes::value ? std::optional(meaning.value) : std::nullopt);
        json.text_or_null("note", filled(meaning.note));
        write_texts(json, "texts", meaning.texts);
        json.close_object();
    }
    json.close_array();
}

void write_contradictions(JsonWriter& json, const std::vector<Contradiction>& all) {
    json.open_array("contradictions");
    for (const auto& each : all) {
        json.open_object();
        write_texts(json, "when", each.conflict.when);
        json.text("says", each.conflict.says);
        json.text("source", each.conflict.source);
        json.boolean("holds", each.holds);
        json.close_object();
    }
    json.close_array();
}

// The value of a secret is not in there.
void write_state(JsonWriter& json, const VariableHere& here) {
    const Inspection& state = here.state;
    json.open_object("here");
    json.boolean("set", here.is_set);
    json.text_or_null("value", state.value);
    json.text_or_null("effective", state.effective);
    json.boolean("misread", state.misread);
    write_texts(json, "faults", state.faults);
    json.text_or_null("remark", filled(state.remark));
    json.text_or_null("next", filled(state.advice));
    json.open_array("installed");
    for (const auto& each : here.installed) {
        json.open_object();
        json.text("package", each.package);
        json.text_or_null("version", each.version);
        json.text_or_null("from", filled(each.from));
        json.close_object();
    }
    json.close_array();
    json.text_or_null("by_version", filled(here.by_version));
    json.close_object();
}

void write_range(JsonWriter& json, const Variable& variable) {
    json.text_or_null("min", filled(variable.min));
    json.text_or_null("max", filled(variable.max));
    json.text_or_null("unit", filled(variable.unit));
    json.text_or_null("pattern", filled(variable.pattern));
    write_texts(json, "values", variable.values);
}

void write_finding(JsonWriter& json, const Finding& finding, bool judged) {
    const bool read = finding.have && !judged;
    json.open_object();
    json.text("target", finding.target);
    json.text_or_null("level", judged ? filled(word_of(finding.level)) : std::nullopt);
    json.text_or_null("outcome", read ? std::nullopt : filled(word_of(finding.outcome)));
    if (finding.outcome == Outcome::unknown) {
        json.text("reason", word_of(finding.reason));
    }
    json.text_or_null("want", finding.want);
    json.text_or_null("have", finding.have);
    json.text("detail", finding.detail);
    json.text_or_null("next", filled(finding.fix));
    if (judged && !is_quiet(finding.outcome)) {
        const Remedy remedy = remedy_of(Report(), finding);
        json.text("action", word_of(remedy.action));
        json.text("jobs", word_of(remedy.jobs));
    }
    json.integer("count", std::uint64_t{finding.count});
    json.text_or_null("waived",
                      finding.waived ? std::optional(finding.waived->ticket) : std::nullopt);
    json.close_object();
}

class Writer {
   public:
    explicit Writer(JsonWriter& json) : json_(json) {}

    void operator()(const VariableExplanation& about) const {
        const Variable& variable = about.variable;
        open("variable", about.as.empty() ? variable.name : std::string_view(about.as));
        json_.text("catalogued_as", variable.name);
        json_.text("means", variable.doc);
        json_.text_or_null("note", filled(variable.note));
        json_.text("reader", variable.reader);
        write_readers(json_, variable.read_by);
        json_.text_or_null("renamed", filled(variable.renamed));
        json_.text_or_null("status", filled(variable.status));
        json_.text("type", variable.type);
        write_range(json_, variable);
        json_.text("parser", variable.parser);
        json_.text_or_null("parser_takes", filled(about.parser));
        json_.text_or_null("parser_source", filled(about.parser_source));
        write_meanings(json_, about.meanings);
        json_.text_or_null("misread", filled(about.misread));
        json_.text_or_null("default_note", filled(variable.fallback_note));
        json_.text_or_null("needs", filled(variable.needs));
        json_.text_or_null("leftover", filled(variable.leftover));
        write_contradictions(json_, about.contradictions);
        write_uses(json_, about.uses);
        json_.text("source", variable.source);
        write_state(json_, about.here);
        json_.close_object();
    }

    void operator()(const SettingExplanation& about) const {
        const Info& info = *about.info;
        open("setting", info.id);
        json_.text("means", info.summary);
        json_.text("why", info.why);
        json_.text("takes", forms_text(info.forms));
        json_.text("target", info.target);
        json_.text("scope", word_of(info.scope));
        json_.text("read_from", info.read_from);
        json_.boolean("only_when_named", info.only_when_named);
        json_.text_or_null("set_by", filled(info.set_by));
        write_places(info);
        json_.text("persist", info.persist);
        write_texts(json_, "kept_by", about.kept_by);
        json_.boolean("after_reboot", info.after_reboot);
        json_.text("risk", word_of(info.risk));
        json_.text_or_null("risk_note", filled(info.risk_note));
        json_.text_or_null("by_hand", filled(info.next_step));
        write_grades(info);
        write_uses(json_, about.uses);
        json_.text("source", info.source);
        write_here(about.here);
        json_.close_object();
    }

    void operator()(const ProfileExplanation& about) const {
        open("profile", about.name);
        json_.text_or_null("means", filled(about.summary));
        json_.text_or_null("file", filled(about.file));
        write_texts(json_, "for", about.matches);
        write_texts(json_, "extends", about.extends);
        write_texts(json_, "extended_by", about.extended_by);
        json_.open_object("wants");
        for (const auto& wants : about.wants) {
            write_texts(json_, word_of(wants.level), wants.ids);
        }
        json_.close_object();
        write_texts(json_, "also", about.also);
        write_texts(json_, "faults", about.faults);
        json_.boolean("usable", !about.is_bad);
        json_.text_or_null("here", filled(about.here));
        json_.close_object();
    }

    void operator()(const WordExplanation& about) const {
        open(about.kind, about.word);
        json_.text("means", about.means);
        json_.text_or_null("counts", filled(about.counts));
        json_.text_or_null("next", filled(about.next));
        json_.close_object();
    }

   private:
    void open(std::string_view kind, std::string_view name) const {
        json_.open_object();
        json_.text("kind", kind);
        json_.text("name", name);
    }

    void write_places(const Info& info) const {
        json_.open_array("writes");
        for (const auto& place : info.places) {
            if (!place.bytes.empty()) {
                json_.open_object();
                json_.text("path", place.path);
                json_.text("bytes", place.bytes);
                json_.close_object();
            }
        }
        json_.close_array();
    }

    void write_grades(const Info& info) const {
        json_.open_array("grades");
        for (const auto& grade : info.grades) {
            json_.open_object();
            json_.text("name", grade.name);
            json_.text("at_most", word_of(grade.at_most));
            json_.text("why", grade.why);
            json_.close_object();
        }
        json_.close_array();
    }

    void write_here(const SettingHere& here) const {
        json_.open_object("here");
        write_texts(json_, "profiles", here.profiles);
        json_.boolean("judged", here.judged);
        json_.text_or_null("not_read", filled(here.not_read));
        json_.open_array("findings");
        for (const auto& finding : here.findings) {
            write_finding(json_, finding, here.judged);
        }
        json_.close_array();
        json_.close_object();
    }

    JsonWriter& json_;
};

}  // namespace

std::string render_explain_json(const Explanations& explanations, const std::string& facts_of) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.explain/1");
    json.text("version", ROCENV_VERSION);
    json.text("facts_of", facts_of);
    json.open_array("explanations");
    for (const auto& each : explanations.all) {
        std::visit(Writer(json), each);
    }
    json.close_array();
    json.open_array("unknown");
    for (const auto& unknown : explanations.unknown) {
        json.open_object();
        json.text("word", unknown.word);
        json.text("says", unknown.says);
        json.close_object();
    }
    json.close_array();
    write_texts(json, "notes", explanations.notes);
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
