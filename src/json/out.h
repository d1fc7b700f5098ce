// SPDX-License-Identifier: MIT
// Writes described structs (json/describe.h).
#pragma once

#include "json/describe.h"
#include "json/writer.h"

namespace rocenv {

// Visitor that writes the members of one struct.
template <class T, class Context>
class JsonOut {
   public:
    JsonOut(JsonWriter& json, const T& value, const Context& context)
        : json_(json), value_(value), context_(context) {}

    // Writes one struct as an object. `name` is empty inside an array.
    static void write_value(JsonWriter& json, std::string_view name, const T& value,
                            const Context& context) {
        json.open_object(name);
        JsonOut at(json, value, context);
        Described<T>::members(at);
        json.close_object();
    }

    // Writes a text that is always the same.
    void constant(const char* name, const char* text) { json_.text(name, text); }

    // Writes a member that is always present; std::nullopt becomes null.
    template <class Get>
    void member(const char* name, const Get& get, const JsonNote& = {}) {
        write(name, value_by(get, value_, context_));
    }
    // Writes the same: the difference is for readers only.
    template <class Get>
    void needed(const char* name, const Get& get, const JsonNote& = {}) {
        member(name, get);
    }
    // Writes a text, or null if it is empty.
    template <class Get>
    void or_null(const char* name, const Get& get, const JsonNote& = {}) {
        const auto& text = value_by(get, value_, context_);
        text.empty() ? json_.null(name) : json_.text(name, text);
    }
    // Writes a member unless it is empty, false or std::nullopt. A number must be a std::optional.
    template <class Get>
    void maybe(const char* name, const Get& get, const JsonNote& = {}) {
        const auto& value = value_by(get, value_, context_);
        using Type = std::remove_cvref_t<decltype(value)>;
        if constexpr (is_optional<Type>) {
            if (value) {
                write(name, *value);
            }
        } else if constexpr (IsSwitch<Type>) {
            if (value != Type()) {
                json_.boolean(name, true);
            }
        } else if (!value.empty()) {
            write(name, value);
        }
    }
    // Ignores a rule, which is for the schema.
    void rule(const char*) {}

   private:
    template <class Type>
    void write(std::string_view name, const Type& value) {
        if constexpr (is_optional<Type>) {
            value ? write(name, *value) : json_.null(name);
        } else if constexpr (is_variant<Type>) {
            std::visit([&](const auto& each) { write(name, each); }, value);
        } else if constexpr (IsSwitch<Type>) {
            json_.boolean(name, value != Type());
        } else if constexpr (IsWhole<Type>) {
            json_.integer(name, static_cast<std::uint64_t>(value));
        } else if constexpr (std::is_same_v<Type, double>) {
            json_.decimal_or_null(name, value);
        } else if constexpr (HasWords<Type>) {
            json_.text(name, word_of(value));
        } else if constexpr (IsText<Type>) {
            json_.text(name, value);
        } else if constexpr (IsMap<Type>) {
            write_map(name, value);
        } else if constexpr (IsList<Type>) {
            write_list(name, value);
        } else {
            JsonOut<Type, Context>::write_value(json_, name, value, context_);
        }
    }
    template <class Map>
    void write_map(std::string_view name, const Map& map) {
        json_.open_object(name);
        for (const auto& [key, each] : map) {
            write(key, each);
        }
        json_.close_object();
    }
    template <class List>
    void write_list(std::string_view name, const List& list) {
        json_.open_array(name);
        for (const auto& each : list) {
            write({}, each);
        }
        json_.close_array();
    }

    JsonWriter& json_;
    const T& value_;
    const Context& context_;
};

// Returns a struct as JSON, with a line end.
template <class T, class Context = NoContext>
std::string json_text_of(const T& value, const Context& context = {},
                         JsonLayout layout = JsonLayout::indented) {
    JsonWriter json(layout);
    JsonOut<T, Context>::write_value(json, {}, value, context);
    return json.finish();
}

// Returns a list of structs as indented JSON, with a line end.
template <class List>
std::string json_list_of(const List& list) {
    JsonWriter json;
    json.open_array();
    for (const auto& each : list) {
        JsonOut<std::remove_cvref_t<decltype(each)>, NoContext>::write_value(json, {}, each, {});
    }
    json.close_array();
    return json.finish();
}

}  // namespace rocenv
