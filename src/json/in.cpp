// SPDX-License-Identifier: MIT
#include "json/in.h"

#include <algorithm>
#include <bit>

namespace rocenv {

std::string strange_word(std::string_view word) {
    constexpr std::size_t longest = 20;
    const bool plain = !word.empty() && word.size() <= longest &&
                       std::all_of(word.begin(), word.end(), [](char byte) {
                           return (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_';
                       });
    return plain ? std::string(word) : "(no word)";
}

namespace {

void* address_of(const JsonMember& member, void* into) {
    return static_cast<char*>(into) + member.offset;
}

// Returns the row of a name, trying `next` first; the number of rows if there is none.
std::size_t row_of(const JsonTable& table, std::string_view name, std::size_t next) {
    const auto& members = table.members;
    if (next < members.size() && members[next].name == name) {
        return next;
    }
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const JsonMember& each) { return each.name == name; });
    return static_cast<std::size_t>(found - members.begin());
}

bool read_constant(JsonReading& reading, const char* expected) {
    std::string_view found;
    const bool good = reading.json.text(found);
    reading.is_known = good && found == expected;
    reading.other = good && !reading.is_known ? std::string(found) : "";
    return reading.is_known;
}

bool read_member(JsonReading& reading, const JsonMember& member, void* into) {
    if (member.constant != nullptr) {
        return read_constant(reading, member.constant);
    }
    if (member.read == nullptr ||
        (member.may_lack && reading.selects && !reading.selects(member.name, {}))) {
        return reading.json.skip();
    }
    if (member.or_null && reading.json.peek() == 'n') {
        member.clear(member, address_of(member, into));
        return reading.json.skip();
    }
    return member.read(reading, member, address_of(member, into));
}

// Reads the members; a bit of `seen` for each.
bool read_members(JsonReading& reading, const JsonTable& table, void* into, std::string* part,
                  std::uint64_t& seen) {
    std::string_view name;
    std::size_t next = 0;
    reading.json.enter('{');
    while (reading.json.key(name)) {
        const auto row = row_of(table, name, next);
        const bool is_known = row < table.members.size();
        if (part != nullptr) {
            *part = is_known ? table.members[row].name : std::string_view();
        }
        if (!is_known) {
            if (!reading.json.skip()) {
                return false;
            }
            continue;
        }
        const std::uint64_t bit = std::uint64_t{1} << row;
        if ((seen & bit) != 0 || !read_member(reading, table.members[row], into)) {
            return reading.json.fail();
        }
        seen |= bit;
        next = row + 1;
    }
    return reading.json.good();
}

void clear_others(const JsonTable& table, void* into, std::uint64_t seen) {
    for (auto left = table.cleared & ~seen; left != 0; left &= left - 1) {
        const JsonMember& member = table.members[static_cast<std::size_t>(std::countr_zero(left))];
        member.clear(member, address_of(member, into));
    }
}

bool read_whole(JsonReading& reading, const JsonTable& table, void* into, std::string* part,
                std::uint64_t& seen) {
    const auto strange_before = reading.strange.size();
    const bool good = read_members(reading, table, into, part, seen);
    clear_others(table, into, seen);
    for (auto at = strange_before; table.strange != nullptr && at < reading.strange.size(); ++at) {
        table.strange(into, reading.strange[at]);
    }
    return good;
}

}  // namespace

bool read_object(JsonReading& reading, const JsonTable& table, void* into) {
    std::uint64_t seen = 0;
    return read_whole(reading, table, into, nullptr, seen) &&
           ((seen & table.needed) == table.needed || reading.json.fail());
}

bool read_outermost(JsonReading& reading, const JsonTable& table, void* into) {
    std::uint64_t seen = 0;
    const bool good = read_whole(reading, table, into, &reading.part, seen);
    const auto lacks = table.needed & ~seen;
    if (good && lacks != 0) {
        reading.missing = table.members[static_cast<std::size_t>(std::countr_zero(lacks))].name;
    }
    return good && lacks == 0;
}

}  // namespace rocenv
