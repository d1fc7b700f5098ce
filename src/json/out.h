// SPDX-License-Identifier: MIT
// Writes what is described (json/describe.h).
#pragma once

#include "json/describe.h"
#include "json/writer.h"

namespace rocenv {

template <class T, class Context>
class JsonOut {
   public:
    JsonOut(JsonWriter& json, const T& value, const Context& context)
        : json_(json), value_(value), context_(context) {}

    void constant(const char* name, const char* text) { json_.text(name, text); }

    template <class Get>
    void member(const char* name, const Get& get, const JsonNote& = {}) {
        write(name, value_by(get, value_, context_));
    }
    template <class Get>
    void needed(const char* name, const Get& get, const JsonNote& = {}) {
        member(name, get);
    }
    template <class Get>
    void or_null(const char* name, const Get& get, const JsonNote& = {}) {
        const auto& text = value_by(get, value_, context_);
        text.empty() ? json_.null(name) : json_.text(name, text);
    }
    template <class Get>
    void maybe(const char* name, const Get& get, const JsonNote& = {}) {
        const auto& value = value_by(get, value_, context_);
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (is_optional<Value>) {
            if (value) {
                write(name, *value);
            }
        } else if constexpr (IsSwitch<Value>) {
            if (value != Value()) {
                json_.boolean(name, true);
            }
        } else if (!value.empty()) {
            write(name, value);
        }
    }
    void rule(const char*) {}

   private:
    template <class Value>
    void write(std::string_view name, const Value& value) {
        if constexpr (is_optional<Value>) {
            value ? write(name, *value) : json_.null(name);
        } else if constexpr (IsSwitch<Value>) {
            json_.boolean(name, value != Value());
        } else if constexpr (IsWhole<Value>) {
            json_.integer(name, static_cast<std::uint64_t>(value));
        } else if constexpr (std::is_same_v<Value, double>) {
            json_.decimal_or_null(name, value);
        } else if constexpr (HasWords<Value>) {
            json_.text(name, word_of(value));
        } else if constexpr (IsText<Value>) {
            json_.text(name, value);
        } else if constexpr (IsMap<Value>) {
            write_map(name, value);
        } else if constexpr (IsList<Value>) {
            write_list(name, value);
        } else {
            json_.open_object(name);
            JsonOut<Value, Context> at(json_, value, context_);
            Described<Value>::members(at);
            json_.close_object();
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

// Returns a value as JSON.
template <class T, class Context = NoContext>
std::string json_text_of(const T& value, const Context& context = {},
                         JsonLayout layout = JsonLayout::indented) {
    JsonWriter json(layout);
    json.open_object();
    JsonOut<T, Context> at(json, value, context);
    Described<T>::members(at);
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
