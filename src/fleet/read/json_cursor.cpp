// SPDX-License-Identifier: MIT
#include "fleet/read/json_cursor.h"

#include <cstring>
#include <utility>

#include "util/json_scalars.h"
#include "util/text.h"

namespace rocenv {

namespace {

constexpr int deepest = 64;
constexpr std::uint64_t ones = 0x0101010101010101U;

constexpr std::uint64_t zero_bytes(std::uint64_t word) {
    return (word - ones) & ~word & (ones * 0x80);
}

// Whether one of eight bytes ends a run of plain text: a quote, a backslash or a control character.
// It may say so of a byte that does not.
constexpr bool any_special(std::uint64_t word) {
    return (zero_bytes(word ^ (ones * '"')) | zero_bytes(word ^ (ones * '\\')) |
            ((word - ones * 0x20) & ~word & (ones * 0x80))) != 0;
}

constexpr bool is_special(char byte) {
    return byte == '"' || byte == '\\' || static_cast<unsigned char>(byte) < 0x20;
}

const char* plain_end(const char* at, const char* end) {
    std::uint64_t word = 0;
    while (end - at >= 8) {
        std::memcpy(&word, at, 8);
        if (any_special(word)) {
            break;
        }
        at += 8;
    }
    while (at < end && !is_special(*at)) {
        ++at;
    }
    return at;
}

bool is_number_text(std::string_view text) {
    bool good = !text.empty();
    return for_each_scalar(text,
                           [&](std::string_view, std::string_view, JsonScalar kind) {
                               good = good && kind == JsonScalar::number;
                           }) &&
           good;
}

}  // namespace

bool JsonCursor::fail() {
    if (state_ == State::good) {
        state_ = at_ >= end_ ? State::ran_out : State::bad;
    }
    return false;
}

void JsonCursor::blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) {
        ++at_;
    }
}

char JsonCursor::peek() {
    blanks();
    return at_ < end_ ? *at_ : '\0';
}

bool JsonCursor::take(char wanted) {
    blanks();
    if (at_ >= end_ || *at_ != wanted || state_ != State::good) {
        return fail();
    }
    ++at_;
    return true;
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

bool JsonCursor::word(std::string_view wanted) {
    const std::string_view left(at_, static_cast<std::size_t>(end_ - at_));
    if (!left.starts_with(wanted)) {
        at_ = wanted.starts_with(left) ? end_ : at_;
        return fail();
    }
    at_ += wanted.size();
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

// What stands up to the next byte that no number has.
std::string_view JsonCursor::scalar() {
    blanks();
    const char* const start = at_;
    while (at_ < end_ && std::strchr("+-.0123456789eE", *at_) != nullptr && *at_ != '\0') {
        ++at_;
    }
    return {start, static_cast<std::size_t>(at_ - start)};
}

bool JsonCursor::number(std::uint64_t& value) {
    const auto found = parse_number(scalar());
    if (!found || at_ >= end_) {
        return fail();
    }
    value = *found;
    return true;
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
            return is_number_text(scalar()) || fail();
    }
}

}  // namespace rocenv
