// SPDX-License-Identifier: MIT
#include "print/escape.h"

#include "util/text.h"

namespace rocenv {

namespace {

std::string as_hex(std::string_view bytes) {
    std::string out;
    for (const char byte : bytes) {
        out += "\\x" + bare_hex(static_cast<unsigned char>(byte), 2);
    }
    return out;
}

std::string markup(char byte) {
    switch (byte) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        default:
            return std::string(1, byte);
    }
}

// https://www.w3.org/TR/xml/#charsets; a carriage return would be read as a line feed.
bool xml_holds(std::string_view sequence) {
    const char lead = sequence[0];
    const bool control = static_cast<unsigned char>(lead) < 0x20 && lead != '\n' && lead != '\t';
    return !control && sequence != "\uFFFE" && sequence != "\uFFFF";
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto sequence = text.substr(0, length == 0 ? 1 : length);
        if (length == 0 || !xml_holds(sequence)) {
            out += as_hex(sequence);
        } else if (length == 1) {
            out += markup(sequence[0]);
        } else {
            out += sequence;
        }
        text.remove_prefix(sequence.size());
    }
    return out;
}

std::string script_text(std::string_view json) {
    std::string out;
    out.reserve(json.size() + json.size() / 16);
    while (!json.empty()) {
        std::size_t length = 1;
        if (json[0] == '<') {
            out += "\\u003c";
        } else if (json[0] == '>') {
            out += "\\u003e";
        } else if (json[0] == '&') {
            out += "\\u0026";
        } else if (json.starts_with("\xe2\x80\xa8") || json.starts_with("\xe2\x80\xa9")) {
            out += json[2] == '\xa8' ? "\\u2028" : "\\u2029";
            length = 3;
        } else {
            out += json[0];
        }
        json.remove_prefix(length);
    }
    return out;
}

}  // namespace rocenv
