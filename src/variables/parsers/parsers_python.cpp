// SPDX-License-Identifier: MIT
// Readers in Python. int(text), base 10, follows CPython (Objects/longobject.c,
// Objects/unicodeobject.c): blanks around the number, a sign, digits of any script with single
// underscores between them, at most 4300. float(text) follows Objects/floatobject.c.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "util/decimal.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv::parsers {

namespace {

constexpr std::size_t most_digits = 4300;  // sys.set_int_max_str_digits, all releases since 2022

// First digits of the rows of ten digits: Unicode 14, general category Nd.
constexpr std::array<std::uint32_t, 65> digit_rows = {
    0x660,   0x6f0,   0x7c0,   0x966,   0x9e6,   0xa66,   0xae6,   0xb66,   0xbe6,   0xc66,
    0xce6,   0xd66,   0xde6,   0xe50,   0xed0,   0xf20,   0x1040,  0x1090,  0x17e0,  0x1810,
    0x1946,  0x19d0,  0x1a80,  0x1a90,  0x1b50,  0x1bb0,  0x1c40,  0x1c50,  0xa620,  0xa8d0,
    0xa900,  0xa9d0,  0xa9f0,  0xaa50,  0xabf0,  0xff10,  0x104a0, 0x10d30, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950,
    0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec,
    0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
};

bool is_wide_blank(std::uint32_t code) {
    return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
           code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

char ascii_of(std::uint32_t code) {
    if (is_wide_blank(code)) {
        return ' ';
    }
    const auto* after = std::upper_bound(digit_rows.begin(), digit_rows.end(), code);
    const std::uint32_t digit = after == digit_rows.begin() ? 10 : code - *(after - 1);
    return digit < 10 ? static_cast<char>('0' + digit) : '?';
}

// Returns the text with digits and blanks of other scripts as ASCII, and '?' for each other
// character that is not ASCII.
std::string to_ascii(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = std::max<std::size_t>(utf8_length(text), 1);
        const bool plain = static_cast<unsigned char>(text[0]) < 0x80;
        const bool valid = plain || length > 1;
        out += plain ? text[0] : valid ? ascii_of(utf8_code_point(text.substr(0, length))) : '?';
        text.remove_prefix(length);
    }
    return out;
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\v\f\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Returns the digits without underscores; std::nullopt if the text is not a number.
std::optional<std::string> digits_of(std::string_view text) {
    std::string digits;
    char before = '_';
    for (const char byte : text) {
        const bool digit = byte >= '0' && byte <= '9';
        if (!digit && (byte != '_' || before == '_')) {
            return std::nullopt;
        }
        if (digit) {
            digits += byte;
        }
        before = byte;
    }
    return before == '_' ? std::nullopt : std::optional(std::move(digits));
}

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

// Removes the digits at the start and returns their count.
std::size_t take_digits(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
}

// Removes single underscores between digits; std::nullopt if there are others.
std::optional<std::string> without_underscores(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '_') {
            out += text[at];
        } else if (at == 0 || at + 1 == text.size() || !is_digit(text[at - 1]) ||
                   !is_digit(text[at + 1])) {
            return std::nullopt;
        }
    }
    return out;
}

// Returns whether a text has the form "1.5e3", without a sign in front.
bool is_float_form(std::string_view text) {
    std::size_t digits = take_digits(text);
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        digits += take_digits(text);
    }
    if (digits > 0 && (text.starts_with('e') || text.starts_with('E'))) {
        text.remove_prefix(1);
        text.remove_prefix(text.starts_with('-') || text.starts_with('+') ? 1 : 0);
        return take_digits(text) > 0 && text.empty();
    }
    return digits > 0 && text.empty();
}

// Returns whether a float's text is too large for a double, not too small.
bool is_huge(std::string_view text) {
    constexpr std::int64_t far = std::int64_t{1} << 40U;
    const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
    const std::string_view mantissa = text.substr(0, mark);
    const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
    const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
    const CInteger exponent = scan_integer(text.substr(std::min(mark + 1, text.size())), 10);
    return point - first + std::clamp(as_signed(exponent), -far, far) > 0;
}

Effect float_effect(std::string_view form, bool negative) {
    const ReadDecimal read = read_decimal(form);
    double value = read.value;
    if (read.out_of_range) {
        value = is_huge(form) ? std::numeric_limits<double>::infinity() : 0;
    }
    return number_text((negative && value != 0 ? "-" : "") + shortest_decimal(value));
}

Effect choice(const ParserInput& input, std::string (*fold)(std::string_view text)) {
    const std::string folded = fold(input.text);
    const auto* end = input.values.data() + input.values.size();
    const auto* found = std::find_if(input.values.data(), end,
                                     [&](std::string_view word) { return fold(word) == folded; });
    return found == end ? failure("ValueError") : as_text(*found);
}

}  // namespace

Effect py_int(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    std::string_view body = without_blanks(ascii);
    const bool negative = body.starts_with('-');
    if (negative || body.starts_with('+')) {
        body.remove_prefix(1);
    }
    auto digits = digits_of(body);
    if (!digits || digits->size() > most_digits) {
        return failure("ValueError");
    }
    digits->erase(0, std::min(digits->find_first_not_of('0'), digits->size() - 1));
    return number_text(negative && *digits != "0" ? "-" + *digits : std::move(*digits));
}

Effect py_int_or_empty(const ParserInput& input) {
    return input.text.empty() ? ignored() : py_int(input);
}

Effect sglang_int(const ParserInput& input) {
    const Effect read = py_int(input);
    return read.kind == EffectKind::error ? ignored("the reader warns and continues") : read;
}

Effect py_int_bool(const ParserInput& input) {
    Effect read = py_int(input);
    return read.kind == EffectKind::number ? truth(read.value != "0") : read;
}

Effect py_float(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    std::string_view body = without_blanks(ascii);
    const bool negative = body.starts_with('-');
    if (negative || body.starts_with('+')) {
        body.remove_prefix(1);
    }
    const std::string lower = ascii_lower(body);
    if (is_one_of(lower, {"inf", "infinity", "nan"})) {
        return number_text((negative && lower != "nan" ? "-" : "") + lower.substr(0, 3));
    }
    const auto form = without_underscores(body);
    return form && is_float_form(*form) ? float_effect(*form, negative) : failure("ValueError");
}

Effect sglang_float(const ParserInput& input) {
    Effect read = py_float(input);
    return read.kind == EffectKind::number ? read : ignored("the reader warns and continues");
}

Effect py_digits(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    return !ascii.empty() && std::all_of(ascii.begin(), ascii.end(), is_digit) ? py_int(input)
                                                                               : ignored();
}

Effect py_int_or_all(const ParserInput& input) {
    return is_one_of(ascii_lower(input.text), {"none", "all"}) ? as_text("all") : py_int(input);
}

Effect py_strip_true1(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    return truth(is_one_of(ascii_lower(without_blanks(ascii)), {"1", "true"}));
}

Effect py_strip_on(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    return truth(is_one_of(ascii_lower(without_blanks(ascii)), {"1", "on", "yes", "true"}));
}

Effect py_strip_yes(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    return truth(
        is_one_of(ascii_lower(without_blanks(ascii)), {"1", "on", "t", "true", "y", "yes"}));
}

Effect py_strip_not_off(const ParserInput& input) {
    const std::string ascii = to_ascii(input.text);
    return truth(!is_one_of(ascii_lower(without_blanks(ascii)), {"0", "false", "no", "off"}));
}

Effect py_choice(const ParserInput& input) {
    return choice(input, [](std::string_view text) { return std::string(text); });
}

Effect py_choice_nocase(const ParserInput& input) {
    return choice(input, ascii_lower);
}

}  // namespace rocenv::parsers
