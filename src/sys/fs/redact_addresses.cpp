// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "sys/fs/redact.h"
#include "util/letters.h"

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

}  // namespace

std::string redact_addresses(std::string text) {
    constexpr std::size_t mac_groups = 6;  // at least: IPoIB has 20
    constexpr std::size_t guid_groups = 4;
    std::size_t size = 0;
    for (std::size_t at = 0; at < text.size(); at += std::max<std::size_t>(size, 1)) {
        size = std::max({uuid_at(text, at), groups_at(text, at, ':', 2, mac_groups),
                         groups_at(text, at, '-', 2, mac_groups),
                         groups_at(text, at, ':', 4, guid_groups)});
        for (std::size_t digit = at; digit < at + size; ++digit) {
            text[digit] = is_hex_digit(text[digit]) ? '0' : text[digit];
        }
    }
    return text;
}

}  // namespace rocenv
