// SPDX-License-Identifier: MIT
#include "fleet/read/hostlist.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t most_digits = 18;
constexpr std::string_view special = "[],\" \t\n";  // characters that could separate names
constexpr std::string_view not_in_names = "]\"\t";  // not allowed in a list

bool is_digit(char byte) {
    return digits.find(byte) != digits.npos;
}

// A name around its last number.
struct NumberedName {
    std::string_view before;
    std::string_view after;
    std::size_t width = 0;  // digits of a number with leading zeros, else 0
    std::uint64_t number = 0;
};

// Returns the position of the last digit of a host's own name, before the domain. For an address,
// or if that name has no digit, it is the last digit of the whole text.
std::size_t last_digit(std::string_view name) {
    const auto own = name.substr(0, name.find('.'));
    const auto last = own.find_last_of(digits);
    const bool only_digits = own.find_first_not_of(digits) == own.npos;
    return last == own.npos || only_digits ? name.find_last_of(digits) : last;
}

std::optional<NumberedName> numbered(std::string_view name) {
    const auto last = last_digit(name);
    if (last == name.npos || name.find_first_of(special) != name.npos) {
        return std::nullopt;
    }
    const auto first = name.find_last_not_of(digits, last) + 1;  // npos + 1 is 0
    const auto text = name.substr(first, last + 1 - first);
    const auto number = text.size() <= most_digits ? parse_number(text) : std::nullopt;
    if (!number) {
        return std::nullopt;
    }
    const bool padded = text.size() > 1 && text.front() == '0';
    return NumberedName{name.substr(0, first), name.substr(last + 1), padded ? text.size() : 0,
                        *number};
}

std::string quoted_name(std::string_view name) {
    if (name.find_first_of(special) == name.npos) {
        return std::string(name);
    }
    std::string out = "\"";
    for (const char byte : name) {
        out += byte == '"' || byte == '\\' ? "\\" : "";
        out += byte;
    }
    return out + "\"";
}

std::string padded(std::uint64_t value, std::size_t width) {
    const std::string text = number(value);
    return std::string(width > text.size() ? width - text.size() : 0, '0') + text;
}

// Returns the number of digits without leading zeros, which is the width of an unpadded name.
std::size_t digits_of(std::uint64_t value) {
    return number(value).size();
}

struct NumberRange {
    std::uint64_t first;
    std::uint64_t last;
    std::size_t width;
};

// Adds a number to the last range, or begins a new one if the number is not the next or has another
// width. gpu100 continues gpu[001-099].
void add_number(std::vector<NumberRange>& ranges, const NumberedName& name) {
    const auto wide = [](std::uint64_t value, std::size_t width) {
        return width == 0 ? digits_of(value) : width;
    };
    if (!ranges.empty()) {
        NumberRange& last = ranges.back();
        const bool same = last.width == name.width ||
                          (last.width != 0 && wide(name.number, name.width) == last.width);
        if (same && last.last + 1 == name.number) {
            last.last = name.number;
            return;
        }
    }
    ranges.push_back({name.number, name.number, name.width});
}

std::string range_text(const std::vector<NumberRange>& ranges) {
    std::string out;
    for (const auto& range : ranges) {
        out += (out.empty() ? "" : ",") + padded(range.first, range.width);
        if (range.last > range.first) {
            out += "-" + padded(range.last, range.width);
        }
    }
    return out;
}

std::string folded_family(std::string_view before, std::string_view after,
                          std::vector<NumberedName> names) {
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
        return std::tuple(a.number, a.width) < std::tuple(b.number, b.width);
    });
    std::vector<NumberRange> ranges;
    for (const auto& name : names) {
        add_number(ranges, name);
    }
    const bool single = ranges.size() == 1 && ranges.front().first == ranges.front().last;
    const std::string text = range_text(ranges);
    return std::string(before) + (single ? text : "[" + text + "]") + std::string(after);
}

Error bad_list(std::string_view list, const std::string& what) {
    return Error{ErrorKind::bad_input, 0, "", printable(list, 60) + ": " + what};
}

// The fault of a list; empty if the list is valid.
using Fault = std::string;

Fault malformed() {
    return "is not a valid list of nodes (example: gpu[001-412,414])";
}

Fault too_many() {
    return "all lists together name more than " + number(most_hosts) + " nodes";
}

Fault too_long() {
    return "has a name of more than " + number(longest_host) + " bytes";
}

// Appends the numbers of one bracket, as they are written.
Fault add_numbers(std::string_view content, std::size_t most, std::vector<std::string>& out) {
    for (const auto part : split(content, ',')) {
        const auto dash = part.find('-');
        const auto low = part.substr(0, dash);
        const auto high = dash == part.npos ? low : part.substr(dash + 1);
        const auto first = parse_number(low);
        const auto last = parse_number(high);
        const bool sized = low.size() <= most_digits && high.size() <= most_digits;
        if (!first || !last || !sized || *last < *first) {
            return malformed();
        }
        if (out.size() >= most || *last - *first >= most - out.size()) {
            return too_many();
        }
        const std::size_t width = low.size() > 1 && low.front() == '0' ? low.size() : 0;
        for (auto each = *first; each <= *last; ++each) {
            out.push_back(padded(each, width));
        }
    }
    return {};
}

// Appends each of `ends` to each of `names`.
Fault multiply(std::vector<std::string>& names, const std::vector<std::string>& ends,
               std::size_t most) {
    if (names.size() * ends.size() > most) {
        return too_many();
    }
    std::vector<std::string> out;
    for (const auto& name : names) {
        for (const auto& end : ends) {
            if (name.size() + end.size() > longest_host) {
                return too_long();
            }
            out.push_back(name + end);
        }
    }
    names = std::move(out);
    return {};
}

// Appends the next part of a name to each of `names`: text, or the numbers of a bracket.
Fault expand_part(std::string_view& text, std::size_t most, std::vector<std::string>& names) {
    if (text.front() != '[') {
        const auto plain = text.substr(0, text.find('['));
        text.remove_prefix(plain.size());
        return plain.find_first_of(not_in_names) != plain.npos
                   ? malformed()
                   : multiply(names, {std::string(plain)}, most);
    }
    const auto close = text.find(']');
    if (close == text.npos) {
        return malformed();
    }
    std::vector<std::string> numbers;
    const Fault fault = add_numbers(text.substr(1, close - 1), most, numbers);
    text.remove_prefix(close + 1);
    return fault.empty() ? multiply(names, numbers, most) : fault;
}

// Appends the names of one item of the list; `most` may be in `out` at the end.
Fault expand_one(std::string_view text, std::size_t most, std::vector<std::string>& out) {
    if (out.size() >= most) {
        return too_many();
    }
    std::vector<std::string> names{""};
    while (!text.empty()) {
        if (Fault fault = expand_part(text, most - out.size(), names); !fault.empty()) {
            return fault;
        }
    }
    out.insert(out.end(), names.begin(), names.end());
    return {};
}

// Returns the list up to a comma, blank or line end outside of brackets.
std::string_view first_name(std::string_view list) {
    int depth = 0;
    for (std::size_t at = 0; at < list.size(); ++at) {
        depth += list[at] == '[' ? 1 : list[at] == ']' ? -1 : 0;
        if (depth == 0 && (list[at] == ',' || list[at] == '\n' || list[at] == ' ')) {
            return list.substr(0, at);
        }
    }
    return list;
}

}  // namespace

bool is_name_before(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!is_digit(a[i]) || !is_digit(b[j])) {
            if (a[i] != b[j]) {
                return a[i] < b[j];
            }
            ++i;
            ++j;
            continue;
        }
        const auto end_a = std::min(a.find_first_not_of(digits, i), a.size());
        const auto end_b = std::min(b.find_first_not_of(digits, j), b.size());
        const auto left = a.substr(i, end_a - i);
        const auto right = b.substr(j, end_b - j);
        const auto plain_left = left.substr(std::min(left.find_first_not_of('0'), left.size()));
        const auto plain_right = right.substr(std::min(right.find_first_not_of('0'), right.size()));
        if (plain_left != plain_right) {
            return plain_left.size() != plain_right.size() ? plain_left.size() < plain_right.size()
                                                           : plain_left < plain_right;
        }
        i = end_a;
        j = end_b;
    }
    return std::tuple(a.size() - i, a) < std::tuple(b.size() - j, b);
}

std::string folded_names(std::span<const std::string_view> names) {
    std::map<std::pair<std::string_view, std::string_view>, std::vector<NumberedName>> families;
    std::vector<std::pair<std::string_view, std::string>> parts;  // by sort key
    for (const auto name : names) {
        if (const auto found = numbered(name)) {
            families[{found->before, found->after}].push_back(*found);
        } else {
            parts.emplace_back(name, quoted_name(name));
        }
    }
    for (const auto& [around, members] : families) {
        parts.emplace_back(around.first, folded_family(around.first, around.second, members));
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return is_name_before(a.first, b.first); });
    std::string out;
    for (const auto& part : parts) {
        out += (out.empty() ? "" : ",") + part.second;
    }
    return out;
}

Result<std::vector<std::string>> expanded_names(std::string_view list, std::size_t most) {
    const std::string_view whole = list;
    std::vector<std::string> out;
    while (!list.empty()) {
        const auto name = first_name(list);
        list.remove_prefix(std::min(name.size() + 1, list.size()));
        if (trim(name).empty()) {
            continue;
        }
        if (const Fault fault = expand_one(trim(name), most, out); !fault.empty()) {
            return bad_list(name, fault);
        }
    }
    if (out.empty()) {
        return bad_list(whole, "names no node");
    }
    return out;
}

}  // namespace rocenv
