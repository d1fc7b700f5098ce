// SPDX-License-Identifier: MIT
#include "json/cursor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "util/text.h"

namespace rocenv {

namespace {

constexpr int deepest = 64;
constexpr std::uint64_t ones = 0x0101010101010101U;

constexpr std::uint64_t zero_bytes(std::uint64_t word) {
    return (word - ones) & ~word & (ones * 0x80);
}

// Returns a bit in each of eight bytes that ends a run of plain text: a quote, a backslash or a
// control character. Bytes above such a byte may have the bit, too.
constexpr std::uint64_t specials(std::uint64_t word) {
    return zero_bytes(word ^ (ones * '"')) | zero_bytes(word ^ (ones * '\\')) |
           ((word - ones * 0x20) & ~word & (ones * 0x80));
}

constexpr bool is_special(char byte) {
    return byte == '"' || byte == '\\' || static_cast<unsigned char>(byte) < 0x20;
}

// Returns the first byte from `at` on that ends a run of plain text, or `end`.
const char* plain_end(const char* at, const char* end) {
    std::uint64_t word = 0;
    for (; end - at >= 8; at += 8) {
        std::memcpy(&word, at, 8);
        const auto found = specials(word);
        if (found != 0 && std::endian::native == std::endian::little) {
            return at + std::countr_zero(found) / 8;
        }
        if (found != 0) {
            break;
        }
    }
    while (at < end && !is_special(*at)) {
        ++at;
    }
    return at;
}

// Removes leading digits. Returns false if there are none.
bool take_digits(std::string_view& text) {
    const auto size = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(size);
    return size > 0;
}

bool is_number(std::string_view text) {
    const auto take = [&](std::string_view any) {
        const bool there = !text.empty() && any.find(text.front()) != any.npos;
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    take("-");
    const bool zero = text.starts_with('0');
    const auto before = text.size();
    if (!take_digits(text) || (zero && before - text.size() > 1) ||
        (take(".") && !take_digits(text))) {
        return false;
    }
    if (take("eE")) {
        take("+-");
        return take_digits(text) && text.empty();
    }
    return text.empty();
}

// Returns one code unit after "\\u"; std::nullopt if there are not four hexadecimal digits.
std::optional<std::uint32_t> code_unit(std::string_view text) {
    const auto digits = text.substr(0, 4);
    const bool good =
        digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == digits.npos;
    const auto value = good ? parse_number(digits, 16) : std::nullopt;
    return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

void add_utf8(std::uint32_t code, std::string& out) {
    const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xc0 | code >> 6);
        add(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        add(0xe0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    } else {
        add(0xf0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3f));
        add(0x80 | (code >> 6 & 0x3f));
        add(0x80 | (code & 0x3f));
    }
}

// Decodes the text after "\\u" and removes it from `rest`. Two units make one character beyond
// U+FFFF.
bool take_code(std::string_view& rest, std::string& out) {
    auto code = code_unit(rest);
    if (!code || (*code >= 0xdc00 && *code < 0xe000)) {
        return false;
    }
    rest.remove_prefix(4);
    if (*code >= 0xd800 && *code < 0xdc00) {
        const auto low = rest.starts_with("\\u") ? code_unit(rest.substr(2)) : std::nullopt;
        if (!low || *low < 0xdc00 || *low >= 0xe000) {
            return false;
        }
        rest.remove_prefix(6);
        code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
    }
    add_utf8(*code, out);
    return true;
}

}  // namespace

std::optional<std::string> json_text(std::string_view content) {
    constexpr std::string_view escapes = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    std::string out;
    while (!content.empty()) {
        const auto plain = std::min(content.find('\\'), content.size());
        out += content.substr(0, plain);
        content.remove_prefix(plain);
        if (content.empty()) {
            break;
        }
        const char escape = content.size() > 1 ? content[1] : '\0';
        const auto at = escapes.find(escape);
        content.remove_prefix(std::min<std::size_t>(2, content.size()));
        if (at != escapes.npos) {
            out += meanings[at];
        } else if (escape != 'u' || !take_code(content, out)) {
            return std::nullopt;
        }
    }
    return out;
}

bool JsonCursor::fail() {
    if (state_ == State::good) {
        state_ = at_ >= end_ ? State::ran_out : State::bad;
    }
    return false;
}

char JsonCursor::peek() {
    blanks();
    return at_ < end_ ? *at_ : '\0';
}

bool JsonCursor::enter(char bracket) {
    fresh_ = take(bracket);
    return fresh_;
}

bool JsonCursor::key(std::string_view& name) {
    const bool first = std::exchange(fresh_, false);
    blanks();
    if (state_ != State::good || at_ >= end_) {
        return fail();
    }
    if (*at_ == '}') {
        ++at_;
        return false;
    }
    return (first || take(',')) && text(name) && take(':');
}

bool JsonCursor::element() {
    const bool first = std::exchange(fresh_, false);
    blanks();
    if (state_ != State::good || at_ >= end_) {
        return fail();
    }
    if (*at_ == ']') {
        ++at_;
        return false;
    }
    return first || take(',');
}

// The content between the quotes, escapes as they are.
bool JsonCursor::raw_text(std::string_view& content, bool& escaped) {
    if (!take('"')) {
        return false;
    }
    const char* const start = at_;
    for (;;) {
        at_ = plain_end(at_, end_);
        if (at_ >= end_ || (*at_ != '"' && *at_ != '\\')) {
            return fail();
        }
        if (*at_ == '"') {
            content = {start, static_cast<std::size_t>(at_ - start)};
            ++at_;
            return true;
        }
        escaped = true;
        at_ += end_ - at_ < 2 ? 1 : 2;
    }
}

bool JsonCursor::text(std::string_view& value) {
    bool escaped = false;
    if (!raw_text(value, escaped)) {
        return false;
    }
    if (escaped) {
        auto plain = json_text(value);
        if (!plain) {
            return fail();
        }
        scratch_ = *std::move(plain);
        value = scratch_;
    }
    return true;
}

bool JsonCursor::word(std::string_view expected) {
    const std::string_view left(at_, static_cast<std::size_t>(end_ - at_));
    if (!left.starts_with(expected)) {
        at_ = expected.starts_with(left) ? end_ : at_;
        return fail();
    }
    at_ += expected.size();
    return true;
}

bool JsonCursor::text_or_null(std::optional<std::string_view>& value) {
    value.reset();
    if (peek() == 'n') {
        return word("null");
    }
    std::string_view found;
    if (!text(found)) {
        return false;
    }
    value = found;
    return true;
}

bool JsonCursor::boolean(bool& value) {
    value = peek() == 't';
    return word(value ? "true" : "false");
}

// Returns the bytes up to the first one that no number contains.
std::string_view JsonCursor::scalar() {
    blanks();
    const char* const start = at_;
    while (at_ < end_ && std::strchr("+-.0123456789eE", *at_) != nullptr && *at_ != '\0') {
        ++at_;
    }
    return {start, static_cast<std::size_t>(at_ - start)};
}

bool JsonCursor::number(std::uint64_t& value) {
    const std::string_view digits = scalar();
    const bool has_zeros = digits.size() > 1 && digits.front() == '0';
    const auto found = has_zeros ? std::nullopt : parse_number(digits);
    if (!found || at_ >= end_) {
        return fail();
    }
    value = *found;
    return true;
}

bool JsonCursor::raw(std::string_view& value) {
    blanks();
    const char* const start = at_;
    const bool good = skip();
    value = {start, static_cast<std::size_t>(at_ - start)};
    return good;
}

bool JsonCursor::at_end() {
    blanks();
    return good() && at_ == end_;
}

bool JsonCursor::skip_members(int depth) {
    std::string_view name;
    while (key(name)) {
        if (!skip_value(depth + 1)) {
            return false;
        }
    }
    return good();
}

bool JsonCursor::skip_elements(int depth) {
    while (element()) {
        if (!skip_value(depth + 1)) {
            return false;
        }
    }
    return good();
}

bool JsonCursor::skip_value(int depth) {
    std::string_view content;
    bool escaped = false;
    if (depth > deepest) {
        return fail();
    }
    switch (peek()) {
        case '{':
            return enter('{') && skip_members(depth);
        case '[':
            return enter('[') && skip_elements(depth);
        case '"':
            return raw_text(content, escaped);
        case 't':
            return word("true");
        case 'f':
            return word("false");
        case 'n':
            return word("null");
        default:
            return is_number(scalar()) || fail();
    }
}

}  // namespace rocenv
