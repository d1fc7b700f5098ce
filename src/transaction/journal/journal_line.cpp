// SPDX-License-Identifier: MIT
#include "transaction/journal/journal_line.h"

#include <algorithm>

#include "util/fnv.h"
#include "util/quoting.h"
#include "util/text.h"

namespace rocenv {

namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        if (byte == '\\') {
            out += "\\\\";
        } else if (value < 0x20 || value >= 0x7f) {
            out += escaped_byte(byte);
        } else {
            out += byte;
        }
    }
    return out;
}

// FNV-1a. It tells damage from whole lines; who may write the file at all is the folder's business.
std::string sum_of(std::string_view text, int format) {
    if (format == first_format) {
        std::uint32_t sum = 2166136261U;
        for (const char byte : text) {
            sum = (sum ^ static_cast<unsigned char>(byte)) * 16777619U;
        }
        return bare_hex(sum, 8);
    }
    return bare_hex(fnv1a(text), 16);
}

std::string escaped_fields(const Record& record) {
    std::string text;
    for (const auto& field : record) {
        text += escaped(field) + "\t";
    }
    return text;
}

// Takes the first field off.
std::string_view next_field(std::string_view& text) {
    const auto end = text.find('\t');
    const auto field = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return field;
}

std::optional<Record> record_in(std::string_view body) {
    constexpr std::ptrdiff_t most_fields =
        4096;  // a change has some tens, a reset names transactions
    if (std::count(body.begin(), body.end(), '\t') >= most_fields) {
        return std::nullopt;
    }
    Record record;
    for (const auto part : split(body, '\t')) {
        auto text = unescaped(part, "\\");
        if (!text) {
            return std::nullopt;
        }
        record.push_back(*std::move(text));
    }
    return record;
}

}  // namespace

std::string first_line(int format) {
    const std::string text = escaped_fields({"rocenv-journal", number(format)});
    return text + sum_of(text, format) + "\n";
}

std::string line_of(const Record& record, Chain& chain) {
    std::string text = escaped_fields(record);
    if (chain.format != first_format) {
        text = number(++chain.serial) + "\t" + chain.sum + "\t" + text;
    }
    chain.sum = sum_of(text, chain.format);
    return text + chain.sum + "\n";
}

std::optional<Line> parse_line(std::string_view text, int format) {
    const auto last = text.rfind('\t');
    if (last == std::string_view::npos ||
        sum_of(text.substr(0, last + 1), format) != text.substr(last + 1)) {
        return std::nullopt;
    }
    Line line;
    line.sum = text.substr(last + 1);
    std::string_view body = text.substr(0, last);
    if (format != first_format) {
        const auto serial = parse_number(next_field(body));
        line.before = next_field(body);
        if (!serial) {
            return std::nullopt;
        }
        line.serial = *serial;
    }
    auto record = record_in(body);
    if (!record) {
        return std::nullopt;
    }
    line.record = *std::move(record);
    return line;
}

bool continues(Chain& chain, const Line& line) {
    if (chain.format != first_format &&
        (line.serial != chain.serial + 1 || line.before != chain.sum)) {
        return false;
    }
    chain.serial = line.serial;
    chain.sum = line.sum;
    return true;
}

}  // namespace rocenv
