// SPDX-License-Identifier: MIT
#include "machine/named_address.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>

#include "util/letters.h"

namespace rocenv {

namespace {

bool is_letter(char byte) {
    return std::isalpha(static_cast<unsigned char>(byte)) != 0;
}

// The kind of name ends with 'x', and has a letter before that: "0x…" is a number.
std::optional<NamedAddress> address_in(std::string_view word) {
    constexpr std::size_t mac = 12;
    constexpr std::size_t guid = 16;
    for (const std::size_t size : {mac, guid}) {
        if (word.size() < size + 2) {
            continue;
        }
        const auto prefix = word.substr(0, word.size() - size);
        const auto digits = word.substr(prefix.size());
        if (prefix.back() == 'x' && std::all_of(prefix.begin(), prefix.end(), is_letter) &&
            std::all_of(digits.begin(), digits.end(), is_hex_digit)) {
            return NamedAddress{prefix, digits};
        }
    }
    return std::nullopt;
}

// Of a text that holds one this is true, of few others.
bool may_hold_one(std::string_view text) {
    constexpr std::size_t fewest = 12;
    for (auto at = text.find('x'); at != std::string_view::npos; at = text.find('x', at + 1)) {
        const auto digits = text.substr(at + 1, fewest);
        if (digits.size() == fewest && std::all_of(digits.begin(), digits.end(), is_hex_digit)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string replace_named_addresses(
    std::string_view text, const std::function<std::string(const NamedAddress&)>& replacement) {
    if (!may_hold_one(text)) {
        return std::string(text);
    }
    std::string out;
    while (!text.empty()) {
        const auto* const end = std::find_if_not(text.begin(), text.end(), is_letter_or_digit);
        const auto word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        const auto address = address_in(word);
        out += address ? replacement(*address) : std::string(word);
        text.remove_prefix(word.size());
        const auto* const next = std::find_if(text.begin(), text.end(), is_letter_or_digit);
        const auto between = static_cast<std::size_t>(next - text.begin());
        out += text.substr(0, between);
        text.remove_prefix(between);
    }
    return out;
}

}  // namespace rocenv
