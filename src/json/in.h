// SPDX-License-Identifier: MIT
// Reads described structs (json/describe.h). Members without a description are skipped, and missing
// ones become empty. A repeated member or one of another type is a failure.
//
// A description becomes a table once. Members are usually in the order of the table, so the next
// row is tried first. The target keeps the memory of its texts and lists.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "json/cursor.h"
#include "json/describe.h"

namespace rocenv {

inline constexpr std::size_t most_json_keys = 65536;  // limit for one map

// The state of reading one text.
struct JsonReading {
    explicit JsonReading(std::string_view text) : json(text) {}

    JsonCursor json;
    // Returns whether a member of at.maybe() (`key` is empty), or the value of a key in a map, is
    // needed; others are skipped. Empty: all are needed.
    std::function<bool(std::string_view member, std::string_view key)> selects{};
    std::string
        part{};  // the outermost member at present, or at the failure; empty: an unknown one
    std::string missing{};               // a required member that the outermost object lacks
    bool is_known = false;               // the constant text of the outermost object was read
    std::string other{};                 // the text read instead of the constant
    std::vector<std::string> strange{};  // unknown words, as "level vital"
};

// Returns a word of 1 to 20 lower-case letters, "-" and "_"; "(no word)" for any other text.
std::string strange_word(std::string_view word);

// A member of a struct that is read.
struct JsonMember {
    std::string_view name;
    std::size_t offset = 0;  // bytes from the start of the struct
    // nullptr: the member is only written, and is skipped here
    bool (*read)(JsonReading&, const JsonMember&, void* value) = nullptr;
    // Sets the initial value of the struct, which is `initial` for a number, switch or word.
    void (*clear)(const JsonMember&, void* value) = nullptr;
    std::uint64_t initial = 0;
    const char* constant = nullptr;  // the only accepted text
    bool needed = false;
    bool may_lack = false;      // may be left out, and is skipped if not needed
    bool or_null = false;       // null means empty
    std::int64_t at_most = -1;  // highest whole number; below 0: no limit
};

// The members of a struct.
struct JsonTable {
    std::vector<JsonMember> members;  // at most 64
    std::uint64_t needed = 0;         // one bit for each required member
    std::uint64_t cleared = 0;        // one bit for each member that is cleared if absent
    void (*strange)(void* into, std::string_view word) = nullptr;  // called for unknown words
};

// Reads an object into the struct of the table. Returns false, and the reading has failed, if the
// object is cut off or garbled or lacks a required member. Absent members are cleared in any case.
bool read_object(JsonReading& reading, const JsonTable& table, void* into);
// Reads the object at the start of the text, and sets `part` and `missing`. If it returns false
// with `missing` empty, the text is cut off or garbled, or the constant differs. Text after the
// object is not read.
bool read_outermost(JsonReading& reading, const JsonTable& table, void* into);

// Returns the table of a struct, made on the first call.
template <class T>
const JsonTable& json_table();

// Reads a value of one type.
template <class Type>
bool read_value(JsonReading& reading, const JsonMember& member, Type& value);

// Reads an object into a map. Returns false if a key is there twice, there are more than
// most_json_keys, or a value is garbled.
template <class Map>
bool read_members(JsonReading& reading, const JsonMember& member, Map& value) {
    JsonCursor& json = reading.json;
    value.clear();
    json.enter('{');
    std::string_view key;
    while (json.key(key)) {
        if (reading.selects && !reading.selects(member.name, key)) {
            if (!json.skip()) {
                return false;
            }
            continue;
        }
        const auto [found, is_new] = value.try_emplace(std::string(key));
        if (!is_new || !read_value(reading, member, found->second) ||
            value.size() > most_json_keys) {
            return false;
        }
    }
    return json.good();
}

// Reads an array into a list, and keeps the memory of elements that it had before.
template <class List>
bool read_elements(JsonReading& reading, const JsonMember& member, List& value) {
    JsonCursor& json = reading.json;
    std::size_t size = 0;
    json.enter('[');
    while (json.element()) {
        if (size == value.size()) {
            value.emplace_back();
        }
        if (!read_value(reading, member, value[size])) {
            return false;
        }
        ++size;
    }
    value.resize(size);
    return json.good();
}

// Reads a switch, number, word, text, map, list or struct; null only into a std::optional. Returns
// false if the text is cut off, or is not a value of the type. An unknown word is added to
// `strange` and becomes that of WordOfOtherVersion.
template <class Type>
bool read_value(JsonReading& reading, const JsonMember& member, Type& value) {
    JsonCursor& json = reading.json;
    if constexpr (is_optional<Type>) {
        if (json.peek() == 'n') {
            value.reset();
            return json.skip();
        }
        return read_value(reading, member, value ? *value : value.emplace());
    } else if constexpr (IsSwitch<Type>) {
        bool found = false;
        const bool good = json.boolean(found);
        value = static_cast<Type>(found);
        return good;
    } else if constexpr (IsWhole<Type>) {
        std::uint64_t found = 0;
        constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Type>::max());
        const bool good = json.number(found) && found <= most;
        value = static_cast<Type>(found);
        return good && (member.at_most < 0 || found <= static_cast<std::uint64_t>(member.at_most));
    } else if constexpr (HasWords<Type>) {
        std::string_view word;
        if (!json.text(word)) {
            return false;
        }
        const auto known = value_of<Type>(word);
        value = known.value_or(WordOfOtherVersion<Type>::counts_as);
        if (!known) {
            reading.strange.push_back(std::string(member.name) + " " + strange_word(word));
        }
        return true;
    } else if constexpr (IsText<Type>) {
        std::string_view found;
        const bool good = json.text(found);
        value.assign(found);
        return good;
    } else if constexpr (IsMap<Type>) {
        return read_members(reading, member, value);
    } else if constexpr (IsList<Type>) {
        return read_elements(reading, member, value);
    } else {
        return read_object(reading, json_table<Type>(), &value);
    }
}

// Makes the table of a struct.
template <class T>
class JsonTableMaker {
   public:
    explicit JsonTableMaker(JsonTable& into) : into_(into) {}

    // Adds a member that must have this text. It may be absent.
    void constant(const char* name, const char* text) {
        into_.members.push_back({.name = name, .constant = text});
    }
    // Adds a member without which a text is rejected.
    template <class Get>
    void needed(const char* name, const Get& get, const JsonNote& note = {}) {
        into_.needed |= std::uint64_t{1} << into_.members.size();
        add(name, get, note).needed = true;
    }
    // Adds a member that an older text may lack.
    template <class Get>
    void member(const char* name, const Get& get, const JsonNote& note = {}) {
        add(name, get, note);
    }
    // Adds a text that may be null or absent.
    template <class Get>
    void or_null(const char* name, const Get& get, const JsonNote& note = {}) {
        add(name, get, note).or_null = true;
    }
    // Adds a member that may be absent or null.
    template <class Get>
    void maybe(const char* name, const Get& get, const JsonNote& note = {}) {
        JsonMember& member = add(name, get, note);
        member.or_null = member.may_lack = true;
    }
    // Ignores a rule: a reader does not check conditions between members.
    void rule(const char*) {}

   private:
    template <class Get>
    JsonMember& add(const char* name, const Get& get, const JsonNote& note) {
        JsonMember& member = into_.members.emplace_back();
        member.name = name;
        member.at_most = note.at_most;
        if constexpr (is_both<Get>) {
            use(member, get.pointer);
        } else if constexpr (std::is_member_object_pointer_v<Get>) {
            use(member, get);
        }
        return member;
    }
    template <class Type>
    void use(JsonMember& member, Type T::*pointer) {
        const void* const start = &sample_;
        const void* const address = &(sample_.*pointer);
        member.offset = static_cast<std::size_t>(static_cast<const char*>(address) -
                                                 static_cast<const char*>(start));
        member.read = [](JsonReading& reading, const JsonMember& of, void* value) {
            return read_value(reading, of, *static_cast<Type*>(value));
        };
        into_.cleared |= std::uint64_t{1} << (into_.members.size() - 1);
        if constexpr (std::is_enum_v<Type> || std::is_integral_v<Type>) {
            member.initial = static_cast<std::uint64_t>(sample_.*pointer);
        }
        member.clear = [](const JsonMember& of, void* value) {
            if constexpr (IsText<Type> || IsList<Type> || IsMap<Type>) {
                static_cast<Type*>(value)->clear();
            } else if constexpr (std::is_enum_v<Type> || std::is_integral_v<Type>) {
                *static_cast<Type*>(value) = static_cast<Type>(of.initial);
            } else {
                *static_cast<Type*>(value) = Type();
            }
        };
    }

    JsonTable& into_;
    const T sample_{};
};

// Returns the table of a struct, which is made on the first call.
template <class T>
const JsonTable& json_table() {
    static const JsonTable table = [] {
        JsonTable out;
        JsonTableMaker<T> maker(out);
        Described<T>::members(maker);
        if constexpr (requires(T & into) { Described<T>::strange(into, std::string_view()); }) {
            out.strange = [](void* into, std::string_view word) {
                Described<T>::strange(*static_cast<T*>(into), word);
            };
        }
        return out;
    }();
    return table;
}

// Reads the struct at the start of the text, as read_outermost() does.
template <class T>
bool read_json(JsonReading& reading, T& into) {
    return read_outermost(reading, json_table<T>(), &into);
}

}  // namespace rocenv
