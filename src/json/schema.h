// SPDX-License-Identifier: MIT
// Makes the JSON Schema (draft 2020-12) of what is described (json/describe.h). Nothing in the
// program itself calls this: the build makes the schemas that are installed.
#pragma once

#include <vector>

#include "json/describe.h"
#include "json/writer.h"

namespace rocenv {

enum class OrNull { no, yes };
// Writes "type": name, or "type": [name, "null"].
void write_type(JsonWriter& json, std::string_view name, OrNull or_null);
void write_words(JsonWriter& json, const std::vector<std::string>& words, OrNull or_null);
// Writes the schema of a text by its note: its words, its pattern, its least length.
void write_text(JsonWriter& json, const JsonNote& note, OrNull or_null);

template <class T, class Context>
class JsonSchema {
   public:
    explicit JsonSchema(JsonWriter& json) : json_(json) {}

    void constant(const char* name, const char* text) {
        required_.emplace_back(name);
        json_.open_object(name);
        json_.text("const", text);
        json_.close_object();
    }
    template <class Get>
    void member(const char* name, const Get&, const JsonNote& note = {}) {
        required_.emplace_back(name);
        property<ValueBy<T, Context, Get>>(name, note, OrNull::no);
    }
    template <class Get>
    void needed(const char* name, const Get& get, const JsonNote& note = {}) {
        member(name, get, note);
    }
    template <class Get>
    void or_null(const char* name, const Get&, const JsonNote& note = {}) {
        required_.emplace_back(name);
        property<ValueBy<T, Context, Get>>(name, note, OrNull::yes);
    }
    template <class Get>
    void maybe(const char* name, const Get&, const JsonNote& note = {}) {
        using Value = ValueBy<T, Context, Get>;
        if constexpr (is_optional<Value>) {
            property<typename Value::value_type>(name, note, OrNull::no);
        } else if constexpr (IsSwitch<Value>) {
            json_.open_object(name);
            says(note);
            json_.boolean("const", true);
            json_.close_object();
        } else {
            JsonNote filled = note;
            filled.filled = true;
            property<Value>(name, filled, OrNull::no);
        }
    }
    void rule(const char* json) { rules_.emplace_back(json); }

    // Writes the members of an object's schema, all but its title.
    static void write_object(JsonWriter& json, OrNull or_null = OrNull::no) {
        write_type(json, "object", or_null);
        json.boolean("additionalProperties", false);
        JsonSchema at(json);
        json.open_object("properties");
        Described<T>::members(at);
        json.close_object();
        json.open_array("required");
        for (const auto& name : at.required_) {
            json.text({}, name);
        }
        json.close_array();
        if (!at.rules_.empty()) {
            json.open_array("allOf");
            for (const auto* rule : at.rules_) {
                json.json({}, rule);
            }
            json.close_array();
        }
    }

   private:
    void says(const JsonNote& note) {
        if (*note.says != '\0') {
            json_.text("description", note.says);
        }
    }
    template <class Value>
    void property(std::string_view name, const JsonNote& note, OrNull or_null) {
        json_.open_object(name);
        says(note);
        value<Value>(note, or_null);
        json_.close_object();
    }
    template <class Value>
    void value(const JsonNote& note, OrNull or_null) {
        if constexpr (is_optional<Value>) {
            value<typename Value::value_type>(note, OrNull::yes);
        } else if constexpr (IsSwitch<Value>) {
            write_type(json_, "boolean", or_null);
        } else if constexpr (IsWhole<Value>) {
            write_type(json_, "integer", or_null);
            json_.integer("minimum", static_cast<std::uint64_t>(note.at_least));
            if (note.at_most >= note.at_least) {
                json_.integer("maximum", static_cast<std::uint64_t>(note.at_most));
            }
        } else if constexpr (std::is_same_v<Value, double>) {
            write_type(json_, "number", OrNull::yes);
        } else if constexpr (HasWords<Value>) {
            if (*note.words == '\0') {
                write_words(json_, words_of<Value>(), or_null);
            } else {
                write_text(json_, note, or_null);
            }
        } else if constexpr (IsText<Value>) {
            write_text(json_, note, or_null);
        } else if constexpr (IsMap<Value>) {
            map<Value>(note, or_null);
        } else if constexpr (IsList<Value>) {
            list<Value>(note, or_null);
        } else {
            JsonSchema<Value, Context>::write_object(json_, or_null);
        }
    }
    template <class Map>
    void map(const JsonNote& note, OrNull or_null) {
        using Each = std::remove_cvref_t<decltype(std::declval<const Map&>().begin()->second)>;
        write_type(json_, "object", or_null);
        if (*note.keys != '\0') {
            json_.json("propertyNames", note.keys);
        }
        JsonNote each = note;
        each.says = "";
        property<Each>("additionalProperties", each, OrNull::no);
    }
    template <class List>
    void list(const JsonNote& note, OrNull or_null) {
        using Each = std::remove_cvref_t<decltype(*std::declval<const List&>().begin())>;
        write_type(json_, "array", or_null);
        if (note.filled) {
            json_.integer("minItems", 1);
        }
        JsonNote each = note;
        each.says = "";
        each.filled = note.each_filled;
        property<Each>("items", each, OrNull::no);
    }

    JsonWriter& json_;
    std::vector<std::string> required_;
    std::vector<const char*> rules_;
};

template <class T, class Context = NoContext>
std::string json_schema_of(std::string_view title) {
    JsonWriter json;
    json.open_object();
    json.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    json.text("title", title);
    JsonSchema<T, Context>::write_object(json);
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
