// SPDX-License-Identifier: MIT
// The form of a struct in JSON, defined once. A specialisation of Described names each member. The
// writer (json/out.h), the reader (json/in.h) and the JSON Schema (json/schema.h) visit it.
//
//     template <>
//     struct Described<Cause> {
//         static void members(auto& at) {
//             at.member("id", &Cause::id, {.says = "of the finding"});
//             at.member("target", &Cause::target);
//         }
//     };
//
// A member gets its value from a pointer to a data member, or from a function of the struct (and,
// if needed, of the writer's context). The value of a function is only written. both(pointer,
// function) writes by the function and reads by the pointer.
//
//     at.constant(name, text)       a text that is always the same; a reader rejects another one
//     at.needed(name, get, note)    always present; a reader rejects a text without the member
//     at.member(name, get, note)    always present; a reader accepts an older text without it
//     at.or_null(name, get, note)   a text; null if empty; a reader accepts its absence, too
//     at.maybe(name, get, note)     left out if empty, false or std::nullopt; a reader accepts null
//     at.rule(json)                 a condition between members, for the schema only
//
// A reader sets an absent member to Type(): empty, 0 or the first value of an enum, not to the
// initialiser in the struct. A struct that is read has at most 64 members. Its specialisation may
// have strange(into, word), which the reader calls for each unknown word in the object.
//
// Types: bool, whole numbers from 0, double, enums with words, enums of no and yes (true, false),
// texts, std::optional (null if empty), std::variant, lists, maps by text, and described structs.
// A double, a std::variant and a list of pairs can only be written.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "rocenv/words.h"

namespace rocenv {

template <class T>
struct Described;

template <class T>
concept IsDescribed = requires {
    sizeof(Described<std::remove_cvref_t<T>>);
};

// Properties of a member for the schema, in addition to its type. A reader checks only `at_most`.
struct JsonNote {
    const char* says = "";      // a description
    const char* pattern = "";   // for the text, or the texts of a list
    bool filled = false;        // a text or list is not empty
    bool each_filled = false;   // no text of a list is empty
    std::int64_t at_least = 0;  // lowest whole number
    std::int64_t at_most = -1;  // highest whole number; below at_least: no limit
    const char* words = "";     // the only accepted texts or whole numbers, "yes|not tried"
    const char* keys = "";      // JSON Schema of a map's keys
};

// The meaning of a word from another version of this program, specialised for enums that are read:
// its member `counts_as` is the value that replaces an unknown word.
template <class Enum>
struct WordOfOtherVersion;

inline constexpr const char* utc_time_pattern =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$";

// Context of a writer that needs none.
struct NoContext {};

// Two ways to a value: a pointer for the reader and a function for the writer.
template <class Pointer, class Function>
struct Both {
    Pointer pointer;
    Function function;
};
// Returns the pair of a pointer, by which a member is read, and a function, by which it is written.
template <class Pointer, class Function>
constexpr Both<Pointer, Function> both(Pointer pointer, Function function) {
    return {pointer, function};
}
template <class Get>
inline constexpr bool is_both = false;
template <class Pointer, class Function>
inline constexpr bool is_both<Both<Pointer, Function>> = true;

// Returns the value of a member for the writer: by the function of a Both, by get(of, context) if
// that can be called, else by get(of). It is a reference into `of` for a pointer to a data member.
template <class T, class Context, class Get>
decltype(auto) value_by(const Get& get, const T& of, const Context& context) {
    if constexpr (is_both<Get>) {
        return value_by(get.function, of, context);
    } else if constexpr (std::is_invocable_v<Get, const T&, const Context&>) {
        return std::invoke(get, of, context);
    } else {
        return std::invoke(get, of);
    }
}
template <class T, class Context, class Get>
using ValueBy = std::remove_cvref_t<decltype(value_by(
    std::declval<const Get&>(), std::declval<const T&>(), std::declval<const Context&>()))>;

template <class T>
inline constexpr bool is_variant = false;
template <class... Each>
inline constexpr bool is_variant<std::variant<Each...>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
concept HasWords = std::is_enum_v<T> && requires {
    EnumWords<T>::all;
};
// A bool, or an enum without words, whose first value is false.
template <class T>
concept IsSwitch = std::is_same_v<T, bool> ||(std::is_enum_v<T> && !HasWords<T>);
template <class T>
concept IsText = std::is_convertible_v<const T&, std::string_view>;
template <class T>
concept IsWhole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
// Has keys of text: a std::map, or a list of pairs.
template <class T>
concept IsMap = requires(const T& map) {
    map.begin()->second;
    requires IsText<std::remove_cvref_t<decltype(map.begin()->first)>>;
};
template <class T>
concept IsList = !IsText<T> && !IsMap<T> && requires(const T& list) {
    list.begin();
    list.size();
};

}  // namespace rocenv
