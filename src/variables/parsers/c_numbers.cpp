// SPDX-License-Identifier: MIT
#include "variables/parsers/c_numbers.h"

#include <limits>

#include "util/decimal.h"

namespace rocenv {

namespace {

constexpr std::uint64_t most_signed = std::numeric_limits<std::int64_t>::max();

bool is_c_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// 36 and more: not a digit of any base.
unsigned digit_of(char byte) {
    if (byte >= '0' && byte <= '9') {
        return static_cast<unsigned>(byte - '0');
    }
    const char lower = static_cast<char>(byte | 0x20);
    return lower >= 'a' && lower <= 'z' ? static_cast<unsigned>(lower - 'a') + 10 : 36;
}

bool starts_prefixed(std::string_view text, char letter, unsigned base) {
    return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter &&
           digit_of(text[2]) < base;
}

void take_digits(std::string_view text, unsigned base, CInteger& number) {
    for (const char byte : text) {
        const unsigned digit = digit_of(byte);
        if (digit >= base) {
            return;
        }
        number.any = true;
        std::uint64_t next = 0;
        if (number.beyond || __builtin_mul_overflow(number.magnitude, base, &next) ||
            __builtin_add_overflow(next, digit, &next)) {
            number.beyond = true;
            next = std::numeric_limits<std::uint64_t>::max();
        }
        number.magnitude = next;
    }
}

}  // namespace

CInteger scan_integer(std::string_view text, int base) {
    CInteger number;
    while (!text.empty() && is_c_blank(text.front())) {
        text.remove_prefix(1);
    }
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        number.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    auto used = static_cast<unsigned>(base);
    if (base == 0 && starts_prefixed(text, 'x', 16)) {
        used = 16;
        text.remove_prefix(2);
    } else if (base == 0) {
        number.binary = starts_prefixed(text, 'b', 2);
        used = !text.empty() && text.front() == '0' ? 8 : 10;
    }
    take_digits(text, used, number);
    return number;
}

bool fits_signed(const CInteger& number) {
    return !number.beyond && number.magnitude <= most_signed + (number.negative ? 1 : 0);
}

std::int64_t as_signed(const CInteger& number) {
    if (!fits_signed(number)) {
        return number.negative ? std::numeric_limits<std::int64_t>::min()
                               : std::numeric_limits<std::int64_t>::max();
    }
    return static_cast<std::int64_t>(number.negative ? 0 - number.magnitude : number.magnitude);
}

std::uint64_t as_unsigned(const CInteger& number) {
    return number.negative && !number.beyond ? 0 - number.magnitude : number.magnitude;
}

CSpan decimal_span(std::string_view text) {
    CSpan span;
    while (span.length < text.size() && is_c_blank(text[span.length])) {
        ++span.length;
    }
    if (span.length < text.size() && (text[span.length] == '-' || text[span.length] == '+')) {
        ++span.length;
    }
    while (span.length < text.size() && digit_of(text[span.length]) < 10) {
        ++span.length;
        span.any = true;
    }
    return span;
}

std::optional<double> c_stod(std::string_view text) {
    while (!text.empty() && is_c_blank(text.front())) {
        text.remove_prefix(1);
    }
    if (text.starts_with('+') && !text.starts_with("+-")) {
        text.remove_prefix(1);
    }
    const ReadDecimal read = read_decimal(text);
    return read.length > 0 && !read.out_of_range ? std::optional(read.value) : std::nullopt;
}

std::int32_t c_atoi(std::string_view text) {
    return static_cast<std::int32_t>(as_signed(scan_integer(text, 10)));
}

}  // namespace rocenv
