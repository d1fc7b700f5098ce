// SPDX-License-Identifier: MIT
// How programs turn the text of a variable into a value. Each parser is a small pure function that
// does what its program's code does; where that changed, by the version of the program's package.
// The answer is about a text that is set; what unset means is the catalogue's to say. A parser
// takes any bytes, does not throw and needs time linear in the text. A new parser: its function
// (parsers_*.cpp), its row (parsers.cpp), its texts (tests/variables/parsers/NAME.txt).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rocenv {

enum class EffectKind {
    truth,    // "true" or "false"
    number,   // decimal, of floats also 1.5, 1e+30, inf, nan; as the reader holds it, after
              // wrap-around and cut-off
    text,     // used as text
    unset,    // the reader goes on as if the variable were not there
    error,    // the reader fails: an exception, an abort
    unknown,  // differs between versions, and the version is not known
};

// What the reader makes of a text.
struct Effect {
    EffectKind kind = EffectKind::text;
    std::string value;  // of truth, number and text; else empty
    std::string note;   // one sentence where there is more to say, else empty

    // "true", "false", a decimal number, the text, "error", "unset", "unknown". The report's words
    // (the default's value or "default" for what its reader ignores) are the caller's to choose.
    std::string shown() const;
    bool operator==(const Effect& other) const {
        return kind == other.kind && value == other.value;
    }
};

// What a parser may want to know besides the text.
struct ParserInput {
    std::string_view text;
    std::optional<std::string_view> version;   // of the reader's package, as far as known
    std::span<const std::string_view> values;  // the variable's own words (words parsers)
};

struct Parser {
    std::string_view name;    // as the catalogue writes it
    std::string_view doc;     // one sentence: what it takes
    std::string_view source;  // file and function, and when it was read
    Effect (*read)(const ParserInput& input);
};

// nullptr: no such parser.
const Parser* find_parser(std::string_view name);
std::span<const Parser> all_parsers();

}  // namespace rocenv
