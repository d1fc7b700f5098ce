// SPDX-License-Identifier: MIT
// Parsers of variables' texts as the programs read them. Each parser is a small pure function that
// follows its program's code, by the version of the program's package where the code changed. The
// text is set; the catalogue states the meaning of unset. A parser accepts any bytes, does not
// throw and needs time linear in the text. A new parser needs its function (parsers_*.cpp), its row
// (parsers.cpp) and its texts (tests/variables/parsers/NAME.txt).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rocenv {

// Kinds of values that a reader gets from a text.
enum class EffectKind {
    truth,    // "true" or "false"
    number,   // decimal, of floats also 1.5, 1e+30, inf, nan; as the reader holds it, after
              // wrap-around and cut-off
    text,     // used as text
    unset,    // the reader goes on as if the variable were not there
    error,    // the reader fails: an exception, an abort
    unknown,  // differs between versions, and the version is not known
};

// The value that a reader gets from a text.
struct Effect {
    EffectKind kind = EffectKind::text;
    std::string value;  // value of truth, number and text; else empty
    std::string note;   // one sentence with more facts, else empty

    // Returns "true", "false", a decimal number, the text, "error", "unset" or "unknown". The
    // caller replaces it by the report's words (the default's value, or "default", for an ignored
    // text).
    std::string shown() const;
    bool operator==(const Effect& other) const {
        return kind == other.kind && value == other.value;
    }
};

// A text, and the other facts that a parser may need.
struct ParserInput {
    std::string_view text;
    std::optional<std::string_view> version;   // version of the reader's package, if known
    std::span<const std::string_view> values;  // words of the variable (words parsers)
};

// One parser, as the catalogue names it.
struct Parser {
    std::string_view name;    // as the catalogue writes it
    std::string_view doc;     // one sentence: accepted texts
    std::string_view source;  // file and function, and when it was read
    Effect (*read)(const ParserInput& input);
};

// Returns the parser of this name; nullptr if there is none.
const Parser* find_parser(std::string_view name);
// Returns all parsers, sorted by name.
std::span<const Parser> all_parsers();

}  // namespace rocenv
