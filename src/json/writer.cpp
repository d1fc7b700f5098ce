// SPDX-License-Identifier: MIT
#include "json/writer.h"

#include <cmath>
#include <cstdint>

#include "util/decimal.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string json_quoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char byte = text[0];
        if (length == 0) {
            out += "\\ufffd";
        } else if (is_steering(text.substr(0, length))) {
            out += "\\u" + bare_hex(utf8_code_point(text.substr(0, length)), 4);
        } else if (length > 1) {
            out += text.substr(0, length);
        } else if (byte == '"' || byte == '\\') {
            out += '\\';
            out += byte;
        } else if (byte == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f) {
            out += "\\u" + bare_hex(static_cast<unsigned char>(byte), 4);
        } else {
            out += byte;
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out + "\"";
}

}  // namespace

void JsonWriter::line() {
    if (layout_ == JsonLayout::indented) {
        out_ += "\n" + std::string(static_cast<std::size_t>(depth_) * 2, ' ');
    } else if (!first_) {
        out_ += ' ';
    }
}

void JsonWriter::next(std::string_view key) {
    if (depth_ > 0) {
        if (!first_) {
            out_ += ',';
        }
        line();
    }
    first_ = false;
    if (!key.empty()) {
        out_ += json_quoted(key) + ": ";
    }
}

void JsonWriter::open(std::string_view key, char bracket) {
    next(key);
    out_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonWriter::close(char bracket) {
    --depth_;
    if (!first_ && layout_ == JsonLayout::indented) {
        line();
    }
    out_ += bracket;
    first_ = false;
}

void JsonWriter::raw(std::string_view key, std::string_view value) {
    next(key);
    out_ += value;
}

void JsonWriter::text(std::string_view key, std::string_view value) {
    raw(key, json_quoted(value));
}

void JsonWriter::text_or_null(std::string_view key, const std::optional<std::string>& value) {
    raw(key, value ? json_quoted(*value) : std::string("null"));
}

void JsonWriter::integer(std::string_view key, std::uint64_t value) {
    raw(key, number(value));
}

void JsonWriter::integer_or_null(std::string_view key, const std::optional<std::uint64_t>& value) {
    raw(key, value ? number(*value) : std::string("null"));
}

void JsonWriter::decimal_or_null(std::string_view key, std::optional<double> value) {
    if (!value || !std::isfinite(*value)) {
        raw(key, "null");
        return;
    }
    raw(key, shortest_decimal(*value));
}

void JsonWriter::boolean(std::string_view key, bool value) {
    raw(key, value ? "true" : "false");
}

}  // namespace rocenv
