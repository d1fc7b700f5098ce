// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "os/redact/redact.h"
#include "util/letters.h"
#include "util/text.h"

namespace rocenv {

namespace {

// Whether a word of that many hexadecimal digits begins at `at`.
bool is_group(std::string_view text, std::size_t at, std::size_t size) {
    const std::size_t end = at + size;
    return end <= text.size() && (at == 0 || !is_letter_or_digit(text[at - 1])) &&
           (end == text.size() || !is_letter_or_digit(text[end])) &&
           std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at),
                       text.begin() + static_cast<std::ptrdiff_t>(end), is_hex_digit);
}

// Length of a UUID at `at`; 0 when it is none.
std::size_t uuid_at(std::string_view text, std::size_t at) {
    constexpr std::array<std::size_t, 5> sizes{8, 4, 4, 4, 12};
    std::size_t end = at;
    for (const std::size_t size : sizes) {
        const bool goes_on = end == at || (end < text.size() && text[end++] == '-');
        if (!goes_on || !is_group(text, end, size)) {
            return 0;
        }
        end += size;
    }
    return end - at;
}

// Length of "00:1b:44…" at `at`, all groups of `size` digits; 0 when there are less than `fewest`.
std::size_t groups_at(std::string_view text, std::size_t at, char separator, std::size_t size,
                      std::size_t fewest) {
    std::size_t end = at;
    std::size_t count = 0;
    for (std::size_t next = at; is_group(text, next, size); next = end + 1) {
        end = next + size;
        ++count;
        if (end == text.size() || text[end] != separator) {
            break;
        }
    }
    return count < fewest ? 0 : end - at;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
    const auto end = text.find_first_not_of("0123456789", at);
    return (end == std::string_view::npos ? text.size() : end) - at;
}

bool is_inside_word(std::string_view text, std::size_t at) {
    return at > 0 && (is_letter_or_digit(text[at - 1]) || text[at - 1] == '.');
}

// Length of "192.0.2.1" at `at`; 0 when it is none, or longer.
std::size_t ipv4_at(std::string_view text, std::size_t at) {
    constexpr int parts = 4;
    constexpr std::uint64_t most = 255;
    if (is_inside_word(text, at)) {
        return 0;
    }
    std::size_t end = at;
    for (int part = 0; part < parts; ++part) {
        const bool goes_on = part == 0 || (end < text.size() && text[end++] == '.');
        const auto size = goes_on ? digits_at(text, end) : 0;
        if (size == 0 || size > 3 || parse_number(text.substr(end, size)).value_or(256) > most) {
            return 0;
        }
        end += size;
    }
    const bool longer = end < text.size() &&
                        (is_letter_or_digit(text[end]) ||
                         (text[end] == '.' && end + 1 < text.size() && digits_at(text, end + 1)));
    return longer ? 0 : end - at;
}

// Length of "2001:db8::1" at `at`: groups of which "::" leaves some out, or eight; 0 when it is
// none. "0000:05:00.0" and times are none.
std::size_t ipv6_at(std::string_view text, std::size_t at) {
    constexpr std::size_t longest = 39;
    constexpr std::size_t separators = 7;
    const bool starts = at == 0 || (!is_letter_or_digit(text[at - 1]) && text[at - 1] != ':');
    const auto end = std::min(text.find_first_not_of("0123456789abcdefABCDEF:", at), text.size());
    const auto address = text.substr(at, end - at);
    if (end < text.size() && text[end] == '.') {  // ends as IPv4 does: "::ffff:192.0.2.1"
        const auto last = address.rfind(':');
        const auto size = last == std::string_view::npos ? 0 : ipv4_at(text, at + last + 1);
        if (size > 0 && starts && address.find("::") != std::string_view::npos) {
            return last + 1 + size;
        }
    }
    if (!starts || address.size() > longest ||
        (end < text.size() && is_letter_or_digit(text[end]))) {
        return 0;
    }
    const auto gap = address.find("::");
    const auto colons = static_cast<std::size_t>(std::count(address.begin(), address.end(), ':'));
    bool groups = gap != std::string_view::npos && colons > 1;
    groups = groups || colons == separators;
    std::size_t digits = 0;
    for (const auto group : split(address, ':')) {
        groups = groups && group.size() <= 4;
        digits += group.size();
    }
    return groups && digits > 2 ? end - at : 0;
}

// Whether a number with three dots, which may be a version, is an address of a site's own network
// (RFC 1918, 3927, 6598): such a text has other words, and a version of a driver stands alone.
bool is_private(std::string_view address, std::string_view text) {
    if (trim(text).size() == address.size()) {
        return false;
    }
    const auto parts = split(address, '.');
    const auto first = parse_number(parts[0]).value_or(0);
    const auto second = parse_number(parts[1]).value_or(0);
    return first == 10 || first == 127 || (first == 192 && second == 168) ||
           (first == 169 && second == 254) || (first == 172 && second >= 16 && second < 32) ||
           (first == 100 && second >= 64 && second < 128);
}

}  // namespace

std::string redact_addresses(std::string text, Dotted dotted) {
    constexpr std::size_t mac_groups = 6;  // at least: IPoIB has 20
    constexpr std::size_t guid_groups = 4;
    constexpr std::string_view address_bytes = "0123456789abcdefABCDEF:.-";
    constexpr std::size_t shortest = 5;  // "::abc"
    std::size_t size = 0;
    for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(size, 1)) {
        size = 0;
        if ((!is_hex_digit(text[at]) && text[at] != ':') ||
            (at > 0 && is_letter_or_digit(text[at - 1]))) {
            continue;  // no address begins inside of a word
        }
        const auto end = std::min(text.find_first_not_of(address_bytes, at), text.size());
        if (end - at < shortest) {
            size = end - at;
            continue;
        }
        size = std::max({uuid_at(text, at), groups_at(text, at, ':', 2, mac_groups),
                         groups_at(text, at, '-', 2, mac_groups),
                         groups_at(text, at, ':', 4, guid_groups)});
        for (std::size_t digit = at; digit < at + size; ++digit) {
            text[digit] = is_hex_digit(text[digit]) ? '0' : text[digit];
        }
        const auto v6 = size == 0 ? ipv6_at(text, at) : 0;
        auto v4 = size + v6 == 0 ? ipv4_at(text, at) : 0;
        if (v4 > 0 && dotted == Dotted::version &&
            !is_private(std::string_view(text).substr(at, v4), text)) {
            v4 = 0;
        }
        if (v6 + v4 > 0) {
            const std::string_view none = v6 > 0 ? "::" : "0.0.0.0";
            text.replace(at, v6 + v4, none);
            size = none.size();
        }
    }
    return text;
}

}  // namespace rocenv
