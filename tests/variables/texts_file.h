// SPDX-License-Identifier: MIT
// Tables of texts and what a parser makes of them, by example:
//
//     # a comment
//     # source: file, function          at least one such line
//     values FAST SLOW                  the variable's own words, for the lines that follow
//     "1" -> true                       true, false, a number, unset, error or unknown
//     "a\"b\xff" [2.6] -> "a"           for that version of the package; in quotes: used as text
//
// Texts know \" \\ \n \t \v \f \r and \xHH.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "util/text.h"
#include "variables/parsers/parsers.h"

namespace rocenv::texts {

struct Row {
    int line = 0;
    std::string text;
    std::optional<std::string> version;
    std::vector<std::string> values;
    EffectKind kind = EffectKind::text;
    std::string shown;
};

struct File {
    bool has_source = false;
    std::vector<Row> rows;
};

class Line {
   public:
    Line(std::string_view text, std::string where) : rest_(text), where_(std::move(where)) {}

    bool take(std::string_view word) {
        const bool found = rest_.starts_with(word);
        rest_.remove_prefix(found ? word.size() : 0);
        return found;
    }
    void need(std::string_view word) {
        if (!take(word)) {
            fail("expected '" + std::string(word) + "'");
        }
    }
    std::string until(char end) {
        const std::string_view part = rest_.substr(0, rest_.find(end));
        rest_.remove_prefix(part.size());
        return std::string(part);
    }
    // After the opening quote, up to and with the closing one.
    std::string quoted() {
        std::string text;
        while (!take("\"")) {
            text += take("\\") ? escaped() : next();
        }
        return text;
    }
    std::string_view rest() const { return rest_; }
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(where_ + ": " + what);
    }

   private:
    char next() {
        if (rest_.empty()) {
            fail("ends too early");
        }
        const char byte = rest_.front();
        rest_.remove_prefix(1);
        return byte;
    }
    char escaped() {
        constexpr std::string_view letters = "\"\\ntvfr";
        constexpr std::string_view bytes = "\"\\\n\t\v\f\r";
        const char letter = next();
        if (letter == 'x') {
            const auto value = parse_number(rest_.substr(0, 2), 16);
            next();
            next();
            return static_cast<char>(value.value());
        }
        const std::size_t at = letters.find(letter);
        return at == std::string_view::npos ? (fail("unknown escape"), ' ') : bytes.at(at);
    }

    std::string_view rest_;
    std::string where_;
};

inline EffectKind kind_of(std::string_view word) {
    if (word == "true" || word == "false") {
        return EffectKind::truth;
    }
    if (word == "unset") {
        return EffectKind::unset;
    }
    if (word == "error") {
        return EffectKind::error;
    }
    return word == "unknown" ? EffectKind::unknown : EffectKind::number;
}

inline Row read_row(Line& line) {
    Row row;
    row.text = line.quoted();
    if (line.take(" [")) {
        row.version = line.until(']');
        line.need("]");
    }
    line.need(" -> ");
    if (line.take("\"")) {
        row.shown = line.quoted();
    } else {
        row.shown = line.until('\0');
        row.kind = kind_of(row.shown);
    }
    if (!line.rest().empty()) {
        line.fail("more than expected");
    }
    return row;
}

inline File read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string content(std::istreambuf_iterator<char>(stream), {});
    File file;
    std::vector<std::string> values;
    int number = 0;
    for (const auto text : split(content, '\n')) {
        ++number;
        Line line(text, path.filename().string() + ":" + std::to_string(number));
        if (text.starts_with("values")) {
            const auto parts = words(text);
            values.assign(parts.begin() + 1, parts.end());
        } else if (line.take("\"")) {
            file.rows.push_back(read_row(line));
            file.rows.back().values = values;
            file.rows.back().line = number;
        } else if (!text.empty() && text.front() != '#') {
            line.fail("not understood");
        }
        file.has_source = file.has_source || text.starts_with("# source: ");
    }
    return file;
}

}  // namespace rocenv::texts
