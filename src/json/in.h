// SPDX-License-Identifier: MIT
// Reads what is described (json/describe.h). Members that no description has are passed over, those
// that are missing are empty; a member twice, or of another type, is none.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "json/cursor.h"
#include "json/describe.h"

namespace rocenv {

inline constexpr std::size_t most_json_keys = 65536;  // of a map

// How the reading of one text goes.
struct JsonReading {
    explicit JsonReading(std::string_view text) : json(text) {}

    JsonCursor json;
    // Returns whether a member that may be left out, or the value of a key in a map, is needed.
    // Empty: all are.
    std::function<bool(std::string_view member, std::string_view key)> wants{};
    std::string part{};                  // the outermost member that is read, or was when it failed
    std::string missing{};               // a member that the outermost object needs and lacks
    bool is_known = false;               // the constant text of the outermost object was read
    std::string other{};                 // the text that stands in its place
    std::vector<std::string> strange{};  // unknown words, as "level vital"
};

// The word as a program may have it; of another text no more than "(no word)".
std::string told_word(std::string_view word);

template <class T>
class JsonIn {
   public:
    JsonIn(JsonReading& reading, T& into) : reading_(reading), into_(into) {}

    bool read_outermost() {
        is_outermost_ = true;
        return read() && reading_.missing.empty();
    }

    bool read() {
        JsonCursor& json = reading_.json;
        const auto strange_before = reading_.strange.size();
        visit(Step::clear);
        json.enter('{');
        while (json.key(name_)) {
            if (is_outermost_) {
                reading_.part = name_;
            }
            found_ = false;
            visit(Step::read);
            if (!(found_ ? good_ : json.skip())) {
                return json.fail();
            }
        }
        visit(Step::end);
        if constexpr (requires { Described<T>::strange(into_, std::string_view()); }) {
            for (auto at = strange_before; at < reading_.strange.size(); ++at) {
                Described<T>::strange(into_, reading_.strange[at]);
            }
        }
        if (is_outermost_) {
            reading_.missing = lacks_;
        }
        return json.good() && (lacks_.empty() || is_outermost_ || json.fail());
    }

    void constant(const char* name, const char* text) {
        take(name, [&] {
            std::string_view found;
            const bool good = reading_.json.text(found);
            reading_.is_known = good && found == text;
            reading_.other = good && !reading_.is_known ? std::string(found) : "";
            return reading_.is_known;
        });
    }
    template <class Get>
    void needed(const char* name, const Get& get, const JsonNote& note = {}) {
        lacks_ = step_ == Step::end && !was_seen() ? name : lacks_;
        member(name, get, note);
    }
    template <class Get>
    void member(const char* name, const Get& get, const JsonNote& note = {}) {
        if constexpr (is_both<Get>) {
            member(name, get.pointer, note);
        } else if constexpr (std::is_member_object_pointer_v<Get>) {
            clear(into_.*get);
            take(name, [&] { return read_value(name, into_.*get) && is_within(into_.*get, note); });
        } else {
            take(name, [&] { return reading_.json.skip(); });
        }
    }
    template <class Get>
    void or_null(const char* name, const Get& get, const JsonNote& = {}) {
        if constexpr (is_both<Get>) {
            or_null(name, get.pointer);
        } else if constexpr (std::is_member_object_pointer_v<Get>) {
            clear(into_.*get);
            take(name, [&] {
                return reading_.json.peek() == 'n' ? reading_.json.skip()
                                                   : read_value(name, into_.*get);
            });
        } else {
            take(name, [&] { return reading_.json.skip(); });
        }
    }
    template <class Get>
    void maybe(const char* name, const Get& get, const JsonNote& = {}) {
        if (step_ == Step::read && !found_ && name_ == name && reading_.wants &&
            !reading_.wants(name, {})) {
            take(name, [&] { return reading_.json.skip(); });
        } else {
            or_null(name, get);
        }
    }
    void rule(const char*) {}

   private:
    template <class Type>
    static bool is_within(const Type& value, const JsonNote& note) {
        if constexpr (IsWhole<Type>) {
            return note.at_most < note.at_least || static_cast<std::int64_t>(value) <= note.at_most;
        } else {
            return true;
        }
    }

    enum class Step { clear, read, end };

    void visit(Step step) {
        step_ = step;
        number_ = 0;
        Described<T>::members(*this);
    }
    bool was_seen() const { return (seen_ >> number_ & 1U) != 0; }

    // Reads the value of a member, if it is the one whose name stands there.
    template <class Read>
    void take(const char* name, const Read& read) {
        const auto number = number_++;
        if (step_ == Step::read && !found_ && name_ == name) {
            found_ = true;
            const std::uint64_t bit = std::uint64_t{1} << number;
            good_ = (seen_ & bit) == 0 && read();
            seen_ |= bit;
        }
    }

    // Empties a member before the reading; a list or struct after it, unless it was read: what is
    // in it is overwritten, so that its texts keep their memory.
    template <class Type>
    void clear(Type& value) {
        constexpr bool keeps_memory = IsList<Type> || IsDescribed<Type>;
        if (step_ != (keeps_memory ? Step::end : Step::clear) || was_seen()) {
            return;
        }
        if constexpr (IsText<Type> || IsList<Type> || IsMap<Type>) {
            value.clear();
        } else {
            value = Type();
        }
    }

    template <class Type>
    bool read_value(const char* name, Type& value) {
        JsonCursor& json = reading_.json;
        if constexpr (is_optional<Type>) {
            return json.peek() == 'n' ? json.skip() : read_value(name, value.emplace());
        } else if constexpr (IsSwitch<Type>) {
            bool found = false;
            const bool good = json.boolean(found);
            value = static_cast<Type>(found);
            return good;
        } else if constexpr (IsWhole<Type>) {
            std::uint64_t found = 0;
            const bool good = json.number(found) &&
                              found <= static_cast<std::uint64_t>(std::numeric_limits<Type>::max());
            value = static_cast<Type>(found);
            return good;
        } else if constexpr (HasWords<Type>) {
            return read_word(name, value);
        } else if constexpr (IsText<Type>) {
            std::string_view found;
            const bool good = json.text(found);
            value.assign(found);
            return good;
        } else if constexpr (IsMap<Type>) {
            return read_map(name, value);
        } else if constexpr (IsList<Type>) {
            return read_list(name, value);
        } else {
            return JsonIn<Type>(reading_, value).read();
        }
    }
    template <class Enum>
    bool read_word(const char* name, Enum& value) {
        std::string_view word;
        if (!reading_.json.text(word)) {
            return false;
        }
        const auto known = value_of<Enum>(word);
        value = known.value_or(WordOfOtherVersion<Enum>::counts_as);
        if (!known) {
            reading_.strange.push_back(std::string(name) + " " + told_word(word));
        }
        return true;
    }
    template <class Map>
    bool read_map(const char* name, Map& map) {
        JsonCursor& json = reading_.json;
        json.enter('{');
        std::string_view key;
        while (json.key(key)) {
            const bool good = reading_.wants && !reading_.wants(name, key)
                                  ? json.skip()
                                  : read_value(name, map[std::string(key)]);
            if (!good || map.size() > most_json_keys) {
                return false;
            }
        }
        return json.good();
    }
    template <class List>
    bool read_list(const char* name, List& list) {
        JsonCursor& json = reading_.json;
        std::size_t size = 0;
        json.enter('[');
        while (json.element()) {
            if (size == list.size()) {
                list.emplace_back();
            }
            if (!read_value(name, list[size])) {
                return false;
            }
            ++size;
        }
        list.resize(size);
        return json.good();
    }

    JsonReading& reading_;
    T& into_;
    std::string_view name_;
    unsigned number_ = 0;  // of the member that is visited
    std::uint64_t seen_ = 0;
    std::string_view lacks_;
    Step step_ = Step::clear;
    bool is_outermost_ = false;
    bool found_ = false;
    bool good_ = false;
};

}  // namespace rocenv
