// SPDX-License-Identifier: MIT
// Makes the JSON Schema (draft 2020-12) of described structs (json/describe.h). Only the build
// calls this, for the schemas that are installed.
#pragma once

#include <vector>

#include "json/describe.h"
#include "json/writer.h"

namespace rocenv {

// Switch for values that may be null.
enum class OrNull { no, yes };
// Writes "type": name, or "type": [name, "null"].
void write_type(JsonWriter& json, std::string_view name, OrNull or_null);
// Writes "enum" with these words, and null if it is accepted.
void write_words(JsonWriter& json, const std::vector<std::string>& words, OrNull or_null);
// Writes the schema of a whole number with its limits, or with the numbers in `words`.
void write_whole(JsonWriter& json, const JsonNote& note, OrNull or_null);
// Writes the schema of a text with its words, or with its pattern and minimum length.
void write_text(JsonWriter& json, const JsonNote& note, OrNull or_null);

// Visitor that writes the schema of one struct.
template <class T, class Context>
class JsonSchema {
   public:
    explicit JsonSchema(JsonWriter& json) : json_(json) {}

    // Adds a required member with this text as its only value.
    void constant(const char* name, const char* text) {
        required_.emplace_back(name);
        json_.open_object(name);
        json_.text("const", text);
        json_.close_object();
    }
    // Adds a required member.
    template <class Get>
    void member(const char* name, const Get&, const JsonNote& note = {}) {
        required_.emplace_back(name);
        property<ValueBy<T, Context, Get>>(name, note, OrNull::no);
    }
    // Adds the same: the difference is for readers only.
    template <class Get>
    void needed(const char* name, const Get& get, const JsonNote& note = {}) {
        member(name, get, note);
    }
    // Adds a required member that may be null.
    template <class Get>
    void or_null(const char* name, const Get&, const JsonNote& note = {}) {
        required_.emplace_back(name);
        property<ValueBy<T, Context, Get>>(name, note, OrNull::yes);
    }
    // Adds a member that may be absent.
    template <class Get>
    void maybe(const char* name, const Get&, const JsonNote& note = {}) {
        using Type = ValueBy<T, Context, Get>;
        if constexpr (is_optional<Type>) {
            property<typename Type::value_type>(name, note, OrNull::no);
        } else if constexpr (IsSwitch<Type>) {
            json_.open_object(name);
            says(note);
            json_.boolean("const", true);
            json_.close_object();
        } else {
            JsonNote filled = note;
            filled.filled = true;
            property<Type>(name, filled, OrNull::no);
        }
    }
    // Adds a condition between members, as JSON Schema.
    void rule(const char* json) { rules_.emplace_back(json); }

    // Writes the members of an object's schema into the open object, except its title.
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
    template <class Type>
    void property(std::string_view name, const JsonNote& note, OrNull or_null) {
        json_.open_object(name);
        says(note);
        value<Type>(note, or_null);
        json_.close_object();
    }
    template <class Type>
    void value(const JsonNote& note, OrNull or_null) {
        if constexpr (is_optional<Type>) {
            value<typename Type::value_type>(note, OrNull::yes);
        } else if constexpr (is_variant<Type>) {
            variant<Type>(note, std::make_index_sequence<std::variant_size_v<Type>>());
        } else if constexpr (IsSwitch<Type>) {
            write_type(json_, "boolean", or_null);
        } else if constexpr (IsWhole<Type>) {
            write_whole(json_, note, or_null);
        } else if constexpr (std::is_same_v<Type, double>) {
            write_type(json_, "number", OrNull::yes);
            json_.integer("minimum", 0);
        } else if constexpr (HasWords<Type>) {
            if (*note.words == '\0') {
                write_words(json_, words_of<Type>(), or_null);
            } else {
                write_text(json_, note, or_null);
            }
        } else if constexpr (IsText<Type>) {
            write_text(json_, note, or_null);
        } else if constexpr (IsMap<Type>) {
            map<Type>(note, or_null);
        } else if constexpr (IsList<Type>) {
            list<Type>(note, or_null);
        } else {
            JsonSchema<Type, Context>::write_object(json_, or_null);
        }
    }
    template <class Variant, std::size_t... At>
    void variant(const JsonNote& note, std::index_sequence<At...>) {
        json_.open_array("oneOf");
        (alternative<std::variant_alternative_t<At, Variant>>(note), ...);
        json_.close_array();
    }
    template <class Type>
    void alternative(const JsonNote& note) {
        json_.open_object();
        value<Type>(note, OrNull::no);
        json_.close_object();
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

// Starts a schema with its title. The object stays open.
void begin_schema(JsonWriter& json, std::string_view title);

// Returns the schema of a struct.
template <class T, class Context = NoContext>
std::string json_schema_of(std::string_view title) {
    JsonWriter json;
    begin_schema(json, title);
    JsonSchema<T, Context>::write_object(json);
    json.close_object();
    return json.finish();
}

// Returns the schema of a list of at least one struct.
template <class T>
std::string json_list_schema_of(std::string_view title) {
    JsonWriter json;
    begin_schema(json, title);
    write_type(json, "array", OrNull::no);
    json.integer("minItems", 1);
    json.open_object("items");
    JsonSchema<T, NoContext>::write_object(json);
    json.close_object();
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
