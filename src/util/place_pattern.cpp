// SPDX-License-Identifier: MIT
#include "util/place_pattern.h"

#include <algorithm>

#include "rocenv/machine.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t longest_word = 15;

std::string_view take(std::string_view& text, std::size_t size) {
    const auto taken = text.substr(0, size);
    text.remove_prefix(taken.size());
    return taken;
}

// Removes a number without leading zeros, so that each number has one text.
bool take_number(std::string_view& text, const NumberRange& range) {
    const auto taken = take(text, text.find_first_not_of(digits));
    const auto value = parse_number(taken);
    return value && (taken.size() == 1 || taken.front() != '0') && range.holds(*value);
}

// Parses "A-B".
std::optional<NumberRange> range_in(std::string_view token) {
    const auto minus = std::min(token.find('-'), token.size());
    const auto lowest = parse_number(token.substr(0, minus));
    const auto highest = parse_number(token.substr(std::min(minus + 1, token.size())));
    return lowest && highest ? std::optional(NumberRange{*lowest, *highest}) : std::nullopt;
}

bool take_word(std::string_view& text) {
    const auto taken = take(text, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-"));
    return !taken.empty() && taken.size() <= longest_word;
}

// Removes the match of `token` from the front of `text`.
bool take_token(std::string_view& text, std::string_view token) {
    if (token == "n") {
        return take_number(text, {0, UINT32_MAX});
    }
    if (token == "bdf") {
        return is_pci_address(take(text, text.find('/')));
    }
    if (token == "if") {
        return is_interface_name(take(text, text.find('/')));
    }
    if (token == "word") {
        return take_word(text);
    }
    if (token == "le16") {
        const auto taken = take(text, 2);
        return taken.size() == 2 && taken != "\xff\xff";
    }
    const auto range = range_in(token);
    return range && take_number(text, *range);
}

}  // namespace

std::optional<NumberRange> range_of(std::string_view pattern) {
    const bool one = pattern.starts_with('<') && pattern.ends_with('>');
    return one ? range_in(pattern.substr(1, pattern.size() - 2)) : std::nullopt;
}

bool is_interface_name(std::string_view name) {
    constexpr std::size_t longest = 15;  // IFNAMSIZ is 16, with the NUL
    return !name.empty() && name.size() <= longest && name != "." && name != ".." &&
           name != "all" && name != "default" && is_plain(name) &&
           name.find_first_of("/: ") == std::string_view::npos;
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
    while (!pattern.empty()) {
        if (pattern.front() == '<') {
            const auto token = take(pattern, pattern.find('>') + 1);
            if (!take_token(text, token.substr(1, token.size() - 2))) {
                return false;
            }
        } else if (take(pattern, 1) != take(text, 1)) {
            return false;
        }
    }
    return text.empty();
}

}  // namespace rocenv
