// SPDX-License-Identifier: MIT
// Readers that use the text, or look it up among words.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "variables/parsers/c_numbers.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv::parsers {

namespace {

using Words = std::span<const std::string_view>;

std::optional<std::string_view> word_in(Words words, std::string_view upper) {
    const auto* end = words.data() + words.size();
    const auto* found =
        std::find_if(words.data(), end, [&](auto word) { return ascii_upper(word) == upper; });
    return found == end ? std::nullopt : std::optional(*found);
}

bool is_decimal(std::string_view text) {
    return text == "0" || (!text.empty() && text.front() != '0' && text.size() <= 18 &&
                           text.find_first_not_of("0123456789") == std::string_view::npos);
}

// MIOPEN_FIND_ENFORCE's and MIOPEN_FIND_MODE's, where the variable states none of its own.
constexpr std::array<std::string_view, 11> miopen_words = {
    "NONE", "DB_UPDATE", "SEARCH",         "SEARCH_DB_UPDATE", "DB_CLEAN",         "NORMAL",
    "FAST", "HYBRID",    "DYNAMIC_HYBRID", "TRUST_VERIFY",     "TRUST_VERIFY_FULL"};

// By number, from 1; of mode 4 the name is gone.
constexpr std::array<std::string_view, 5> enforce_names = {"NONE", "DB_UPDATE", "SEARCH",
                                                           "SEARCH_DB_UPDATE", "DB_CLEAN"};
constexpr std::array<std::string_view, 7> mode_names = {
    "NORMAL", "FAST", "HYBRID", "", "DYNAMIC_HYBRID", "TRUST_VERIFY", "TRUST_VERIFY_FULL"};

// std::stoul, then the cast to an enumeration that is an int. Find-enforce has the numbers 1 to 5,
// the find modes 1 to 7 (older releases fewer).
Effect miopen_number(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 10);
    if (!scanned.any || scanned.beyond) {
        return failure("std::stoul throws");
    }
    const auto value = static_cast<std::int32_t>(as_unsigned(scanned));
    const bool enforce = word_in(input.values, "DB_CLEAN").has_value();
    if (value < 1 || value > (enforce ? 5 : 7)) {
        return ignored("out of range, so the default is used");
    }
    const auto place = static_cast<std::size_t>(value - 1);
    const auto name = enforce ? enforce_names.at(place) : mode_names.at(place);
    return name.empty() ? number_text(number(value)) : as_text(name);
}

// The text between the first and the last quote, when nothing but blanks is around them.
std::optional<std::string_view> between_quotes(std::string_view text) {
    const std::size_t open = text.find_first_not_of(' ');
    const std::size_t close = text.find_last_not_of(' ');
    if (open == std::string_view::npos || open == close || text[open] != '"' ||
        text[close] != '"') {
        return std::nullopt;
    }
    return text.substr(open + 1, close - open - 1);
}

}  // namespace

Effect string(const ParserInput& input) {
    return as_text(input.text);
}

Effect string_upper(const ParserInput& input) {
    const std::string upper = ascii_upper(input.text);
    if (input.values.empty()) {
        return as_text(upper);
    }
    if (const auto word = word_in(input.values, upper)) {
        return as_text(*word);
    }
    return open_question("not one of its words; readers differ in what they do then");
}

// One word counted in 2.6; by 2.11 the other one does, too.
Effect gemm_search_space(const ParserInput& input) {
    const std::string upper = ascii_upper(input.text);
    const bool exhaustive = upper == "EXHAUSTIVE";
    return by_version(input, {"PyTorch", "2.7", "2.11"},
                      as_text(exhaustive ? "EXHAUSTIVE" : "DEFAULT"), as_text(upper));
}

// A switch in 2.6, where 1 leaves the compiler its own way, which is fast; by 2.11 the compiler's
// own word.
Effect contract_flag(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.7", "2.11"},
                      as_text(input.text == "1" ? "fast" : "off"), as_text(input.text));
}

Effect comma_list(const ParserInput& input) {
    Effect list = as_text(input.text);
    const auto items = split(input.text, ',');
    if (std::any_of(items.begin(), items.end(), [](auto item) { return trim(item) != item; })) {
        list.note = "some readers count the blanks as part of the items";
    }
    return list;
}

Effect comma_list_upper(const ParserInput& input) {
    std::string list;
    for (const auto item : split(input.text, ',')) {
        list += ascii_upper(trim(item)) + ",";
    }
    if (list.ends_with(',')) {
        list.pop_back();
    }
    return as_text(list);
}

// An empty text becomes a single blank.
Effect clr_string(const ParserInput& input) {
    if (input.text.empty()) {
        return as_text(" ");
    }
    return as_text(between_quotes(input.text).value_or(input.text));
}

Effect miopen_enum(const ParserInput& input) {
    if (input.text.empty()) {
        return ignored();
    }
    const bool named = std::any_of(input.values.begin(), input.values.end(),
                                   [](auto word) { return !is_decimal(word); });
    const Words words = named ? input.values : Words(miopen_words);
    if (const auto word = word_in(words, ascii_upper(input.text)); word && !is_decimal(*word)) {
        return as_text(ascii_upper(*word));
    }
    return miopen_number(input);
}

// A plain number, and a word that is documented, every reader takes for what it is.
Effect unverified(const ParserInput& input) {
    if (is_decimal(input.text)) {
        return number_text(std::string(input.text));
    }
    if (std::find(input.values.begin(), input.values.end(), input.text) != input.values.end()) {
        return as_text(input.text);
    }
    return open_question("its reader was not examined; write only what is documented");
}

}  // namespace rocenv::parsers
