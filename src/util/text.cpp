// SPDX-License-Identifier: MIT
#include "util/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace rocenv {

namespace {

constexpr std::size_t max_list_numbers = 65536;

bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

}  // namespace

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (is_blank(text.back()) || text.back() == '\0')) {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    parts.reserve(1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), separator)));
    for (;;) {
        const auto end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string_view> words(std::string_view text) {
    const auto blank = [](char byte) {
        return is_blank(byte);
    };  // inlined, unlike a named function
    std::vector<std::string_view> found;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto start =
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), blank);
        const auto end = std::find_if(start, text.end(), blank);
        if (start != end) {
            found.emplace_back(start, end);
        }
        at = static_cast<std::size_t>(end - text.begin());
        if (end == text.end()) {
            break;
        }
    }
    return found;
}

bool contains_word(std::string_view text, std::string_view word) {
    const auto blank_at = [&](std::size_t at) { return at >= text.size() || is_blank(text[at]); };
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if ((at == 0 || is_blank(text[at - 1])) && blank_at(at + word.size())) {
            return !word.empty();
        }
    }
    return false;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
    std::string out;
    for (const auto& part : parts) {
        if (&part != parts.data()) {
            out += separator;
        }
        out += part;
    }
    return out;
}

std::string counted_are(std::size_t count, std::string_view noun) {
    return counted(count, noun) + (count == 1 ? " is" : " are");
}

std::string join_sentences(std::span<const std::string> parts) {
    std::string out;
    for (const auto& part : parts) {
        if (!out.empty()) {
            const bool begins = !part.empty() && part[0] >= 'A' && part[0] <= 'Z';
            out.resize(out.size() - (out.ends_with('.') ? 1 : 0));
            out += out.ends_with('?') ? " " : begins ? ". " : "; ";
        }
        out += part;
    }
    return out;
}

std::string counted(std::size_t count, std::string_view noun) {
    return number(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string concat(std::initializer_list<std::string_view> parts) {
    std::size_t size = 0;
    for (const auto part : parts) {
        size += part.size();
    }
    std::string out;
    out.reserve(size);
    for (const auto part : parts) {
        out += part;
    }
    return out;
}

std::uint32_t utf8_code_point(std::string_view sequence) {
    const unsigned lead_bits = sequence.size() == 1 ? 0x7fU : 0xffU >> (sequence.size() + 1);
    std::uint32_t point = static_cast<unsigned char>(sequence.front()) & lead_bits;
    for (const char byte : sequence.substr(1)) {
        point = point << 6U | (static_cast<unsigned char>(byte) & 0x3fU);
    }
    return point;
}

std::size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) {
        return 1;
    }
    const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || lead > 0xf4 || text.size() < length) {
        return 0;
    }
    std::uint32_t point = lead & (0xffU >> (length + 1));
    for (std::size_t at = 1; at < length; ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if ((byte & 0xc0) != 0x80) {
            return 0;
        }
        point = point << 6 | (byte & 0x3fU);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    const bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return overlong || surrogate || point > 0x10ffff ? 0 : length;
}

std::optional<std::uint64_t> parse_number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (code != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> parse_signed(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

std::string bare_hex(std::uint64_t value, int least) {
    char buffer[16];
    const auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, value, 16);
    std::string out(buffer, end);
    const auto width = static_cast<std::size_t>(least);
    return out.size() < width ? std::string(width - out.size(), '0') + out : out;
}

std::string hex(std::uint64_t value, int least) {
    return "0x" + bare_hex(value, least);
}

bool is_steering(std::string_view sequence) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(sequence[at]); };
    if (sequence.size() == 2) {
        return (byte(0) == 0xc2 && byte(1) < 0xa0) || sequence == "\u061c";
    }
    if (sequence.size() != 3 || byte(0) != 0xe2) {
        return false;
    }
    const unsigned last = byte(2);
    return (byte(1) == 0x80 && (last == 0x8e || last == 0x8f || (last >= 0xa8 && last <= 0xae))) ||
           (byte(1) == 0x81 && last >= 0xa6 && last <= 0xaf);
}

namespace {

// Returns the length of the printable start of `text`, which must not be empty; 0 if there is none.
std::size_t shown_length(std::string_view text) {
    const std::size_t length = utf8_length(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    const bool control = length == 1 && (lead < 0x20 || lead == 0x7f);
    return control || is_steering(text.substr(0, length)) ? 0 : length;
}

// Returns the length of rocenv's own sequence at the start of `text`.
std::size_t kept_length(Kept kept, std::string_view text) {
    if (kept != Kept::styles && text[0] == '\n') {
        return 1;
    }
    if (text[0] != style_code::end[0]) {
        return 0;
    }
    for (const auto code : {style_code::heading, style_code::fail, style_code::warn,
                            style_code::unknown, style_code::pass, style_code::end}) {
        if (text.starts_with(code)) {
            return code.size();
        }
    }
    return 0;
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
    if (text.size() <= limit && is_plain(text)) {
        return std::string(text);
    }
    std::string out;
    while (!text.empty()) {
        const std::size_t shown = shown_length(text);
        const std::string piece =
            shown == 0 ? escaped_byte(text[0]) : std::string(text.substr(0, shown));
        if (piece.size() > limit - out.size()) {
            return out + "...";
        }
        out += piece;
        text.remove_prefix(std::max<std::size_t>(shown, 1));
    }
    return out;
}

std::string printable_but(Kept kept, std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t ours = kept_length(kept, text);
        const std::size_t shown = ours == 0 ? shown_length(text) : ours;
        out += shown == 0 ? escaped_byte(text[0]) : std::string(text.substr(0, shown));
        text.remove_prefix(std::max<std::size_t>(shown, 1));
    }
    return out;
}

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](char byte) { return byte >= 0x20 && byte < 0x7f; });
}

namespace {

std::size_t difference(std::size_t a, std::size_t b) {
    return std::max(a, b) - std::min(a, b);
}

}  // namespace

std::size_t common_start(std::string_view left, std::string_view right) {
    const auto end =
        left.begin() + static_cast<std::ptrdiff_t>(std::min(left.size(), right.size()));
    return static_cast<std::size_t>(std::mismatch(left.begin(), end, right.begin()).first -
                                    left.begin());
}

// Tries three continuations at the first differing byte, so `most` has to be small.
std::optional<std::size_t> edits_between(std::string_view left, std::string_view right,
                                         std::size_t most) {
    if (difference(left.size(), right.size()) > most) {
        return std::nullopt;
    }
    const std::size_t start = common_start(left, right);
    left.remove_prefix(start);
    right.remove_prefix(start);
    if (left.empty() || right.empty() || most == 0) {
        const std::size_t rest = std::max(left.size(), right.size());
        return rest <= most ? std::optional(rest) : std::nullopt;
    }
    std::optional<std::size_t> best;
    for (const auto& [l, r] : {std::pair(1U, 1U), std::pair(1U, 0U), std::pair(0U, 1U)}) {
        const std::size_t left_over = (best ? *best - 1 : most) - 1;
        const auto rest = edits_between(left.substr(l), right.substr(r), left_over);
        best = rest ? std::optional(*rest + 1) : best;
        if (best == 1) {
            break;
        }
    }
    return best;
}

std::string shown_value(std::string_view value) {
    return std::string(value.empty() ? "empty" : trim(value).empty() ? "blank" : value);
}

std::string shown_values(std::span<const std::string_view> values) {
    std::vector<std::string> shown;
    std::transform(values.begin(), values.end(), std::back_inserter(shown), shown_value);
    return join(shown, ", ");
}

std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& byte : out) {
        byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    }
    return out;
}

bool glob_match(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = std::string_view::npos;
    std::size_t retry = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++retry;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string number_list(std::span<const std::uint32_t> numbers) {
    std::string out;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t last = at;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        out += (out.empty() ? "" : ",") + number(numbers[at]);
        if (last > at) {
            out += "-" + number(numbers[last]);
        }
        at = last + 1;
    }
    return out;
}

std::optional<std::vector<std::uint32_t>> parse_number_list(std::string_view text) {
    std::vector<std::uint32_t> out;
    if (text.empty()) {
        return out;
    }
    for (const auto part : split(text, ',')) {
        const auto dash = part.find('-');
        const auto first = parse_number(part.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1));
        if (!first || !last || *last < *first || *last > 0xffffff ||
            out.size() + (*last - *first) >= max_list_numbers) {
            return std::nullopt;
        }
        for (auto value = *first; value <= *last; ++value) {
            out.push_back(static_cast<std::uint32_t>(value));
        }
    }
    return out;
}

std::optional<int> compare_versions(std::string_view left, std::string_view right) {
    const auto parts = [](std::string_view text) {
        std::vector<std::uint64_t> found;
        for (const auto piece : split(text.substr(0, text.find_first_not_of("0123456789.")), '.')) {
            if (!piece.empty()) {
                found.push_back(parse_number(piece).value_or(UINT64_MAX));  // too large for 64 bits
            }
        }
        return found;
    };
    const auto starts = [](std::string_view text) {
        return !text.empty() && text[0] >= '0' && text[0] <= '9';
    };
    if (!starts(left) || !starts(right)) {
        return std::nullopt;
    }
    auto a = parts(left);
    auto b = parts(right);
    const auto length = std::max(a.size(), b.size());
    a.resize(length);
    b.resize(length);
    return a < b ? -1 : a > b ? 1 : 0;
}

namespace {

// Removes an escape after a backslash from the front of `text` and returns its byte.
std::optional<char> take_escape(std::string_view& text, std::string_view letters) {
    constexpr std::size_t hex_size = 3;
    if (text.starts_with('x')) {
        const auto byte =
            text.size() < hex_size ? std::nullopt : parse_number(text.substr(1, 2), 16);
        text.remove_prefix(byte ? hex_size : 0);
        return byte ? std::optional(static_cast<char>(*byte)) : std::nullopt;
    }
    if (text.empty() || letters.find(text.front()) == std::string_view::npos) {
        return std::nullopt;
    }
    const char letter = text.front();
    text.remove_prefix(1);
    return letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
}

}  // namespace

std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char byte : text) {
        out += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
    }
    return out + "'";
}

std::string shell_word(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@+%";
    const bool is_plain = !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
    return is_plain ? std::string(text) : shell_quoted(text);
}

std::string escaped_byte(char byte) {
    return "\\x" + bare_hex(static_cast<unsigned char>(byte), 2);
}

std::optional<std::string> unescaped(std::string_view text, std::string_view letters) {
    std::string out;
    while (!text.empty()) {
        const std::size_t plain = std::min(text.find('\\'), text.size());
        out += text.substr(0, plain);
        text.remove_prefix(plain);
        if (!text.empty()) {
            text.remove_prefix(1);
            const auto byte = take_escape(text, letters);
            if (!byte) {
                return std::nullopt;
            }
            out += *byte;
        }
    }
    return out;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) {
            return false;
        }
        text.remove_prefix(length);
    }
    return true;
}

}  // namespace rocenv
