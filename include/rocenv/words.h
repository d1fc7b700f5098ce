// SPDX-License-Identifier: MIT
// The words of an enum on the command line, in profiles, reports and the journal. Each enum has one
// table with its rows in the order of the values. A value without a word, or two values with one
// word, do not compile.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rocenv {

// One row of the table: a value and its word.
template <typename Enum>
struct EnumWord {
    Enum value;
    std::string_view word;
};

// The table of an enum, specialised beside it: `static constexpr EnumWord<Enum> all[]`.
template <typename Enum>
struct EnumWords;

// Returns whether the enum has a name for the value. The compiler writes "(Enum)3" for a value
// without a name.
template <auto Value>
consteval bool is_enumerator() {
    constexpr std::string_view mark = "Value = ";
    const std::string_view text = __PRETTY_FUNCTION__;
    return text[text.find(mark) + mark.size()] != '(';
}

// Returns whether the table lists each value once, in order from 0, with a unique word.
template <typename Enum>
consteval bool has_each_value() {
    constexpr auto& all = EnumWords<Enum>::all;
    for (std::size_t at = 0; at < std::size(all); ++at) {
        if (all[at].value != static_cast<Enum>(at) || all[at].word.empty()) {
            return false;
        }
        for (std::size_t before = 0; before < at; ++before) {
            if (all[before].word == all[at].word) {
                return false;
            }
        }
    }
    return !is_enumerator<static_cast<Enum>(std::size(all))>();
}

// Returns the word of a value, which must be an enumerator.
template <typename Enum>
requires std::is_enum_v<Enum>
constexpr std::string_view word_of(Enum value) {
    static_assert(has_each_value<Enum>());
    return EnumWords<Enum>::all[static_cast<std::size_t>(value)].word;
}

// Returns the value with exactly this word, or std::nullopt if there is none.
template <typename Enum>
requires std::is_enum_v<Enum>
constexpr std::optional<Enum> value_of(std::string_view word) {
    static_assert(has_each_value<Enum>());
    for (const auto& each : EnumWords<Enum>::all) {
        if (each.word == word) {
            return each.value;
        }
    }
    return std::nullopt;
}

// Returns all words in the order of the values.
template <typename Enum>
requires std::is_enum_v<Enum> std::vector<std::string> words_of() {
    static_assert(has_each_value<Enum>());
    std::vector<std::string> words;
    for (const auto& each : EnumWords<Enum>::all) {
        words.emplace_back(each.word);
    }
    return words;
}

}  // namespace rocenv
