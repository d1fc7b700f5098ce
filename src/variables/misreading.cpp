// SPDX-License-Identifier: MIT
#include "variables/misreading.h"

#include <algorithm>
#include <array>

#include "util/text.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv {

namespace {

constexpr std::size_t most_shown = 60;   // bytes of the text
constexpr std::size_t most_zeros = 100;  // that an exponent may stand for

constexpr std::array<std::string_view, 7> texts_for_on = {"1",       "true", "on",  "yes",
                                                          "enabled", "y",    "TRUE"};
constexpr std::array<std::string_view, 7> texts_for_off = {"0",        "false", "off", "no",
                                                           "disabled", "n",     ""};

enum class Meant { on, off, other };

Meant meant_by(std::string_view text) {
    const std::string word = parsers::ascii_lower(trim(text));
    if (parsers::is_one_of(word, {"1", "true", "yes", "on", "enable", "enabled", "y", "t"})) {
        return Meant::on;
    }
    if (parsers::is_one_of(word,
                           {"0", "false", "no", "off", "disable", "disabled", "n", "f", ""})) {
        return Meant::off;
    }
    return Meant::other;
}

// nullopt: the reader does not end with something that is on or off.
std::optional<bool> as_switch(const Effect& effect) {
    if (effect.kind == EffectKind::truth) {
        return effect.value == "true";
    }
    if (effect.kind == EffectKind::number) {
        return effect.value != "0";
    }
    return std::nullopt;
}

std::string text_in_quotes(std::string_view text) {
    return text.empty() ? "an empty text" : '"' + printable(text, most_shown) + '"';
}

Effect read_instead(const Parser& parser, ParserInput input, std::string_view text) {
    input.text = text;
    return parser.read(input);
}

template <std::size_t Count>
std::optional<std::string_view> text_for(bool state,
                                         const std::array<std::string_view, Count>& texts,
                                         const Parser& parser, const ParserInput& input) {
    const auto* found = std::find_if(texts.begin(), texts.end(), [&](auto text) {
        return as_switch(read_instead(parser, input, text)) == state;
    });
    return found == texts.end() ? std::nullopt : std::optional(*found);
}

// "; write 1 or 0"; where the reader has no text for off, only unset is.
std::string switch_advice(const Parser& parser, const ParserInput& input) {
    const auto on = text_for(true, texts_for_on, parser, input);
    const auto off = text_for(false, texts_for_off, parser, input);
    if (!on) {
        return {};
    }
    std::string advice = "; write " + std::string(*on);
    if (!off) {
        return advice + ", or unset it to switch it off";
    }
    return advice + (off->empty() ? " or leave it empty" : " or " + std::string(*off));
}

std::string number_advice(const Parser& parser, const ParserInput& input) {
    const auto written = written_number(input.text);
    const Effect plain = read_instead(parser, input, written.value_or(""));
    if (written && plain.kind == EffectKind::number && plain.value == *written) {
        return "; write " + *written;
    }
    return written ? "" : "; write a number in plain digits";
}

// Of a word among several.
std::string words_advice(const Parser& parser, const ParserInput& input) {
    std::vector<std::string> words;
    for (const auto word : input.values) {
        const EffectKind kind = read_instead(parser, input, word).kind;
        if (kind != EffectKind::error && kind != EffectKind::unset) {
            words.emplace_back(word);
        }
    }
    return words.empty() ? "" : "; write " + join(words, ", ");
}

std::string advice_for(std::string_view type, const Parser& parser, const ParserInput& input) {
    if (type == "bool") {
        return switch_advice(parser, input);
    }
    if (!input.values.empty()) {
        return words_advice(parser, input);
    }
    return type == "int" ? number_advice(parser, input) : "";
}

std::optional<std::string> misread_switch(bool strict, bool state, const Parser& parser,
                                          const ParserInput& input) {
    const Meant meant = meant_by(input.text);
    if (meant == Meant::other ? !strict : (meant == Meant::on) == state) {
        return std::nullopt;
    }
    return "reads " + text_in_quotes(input.text) + " as " + (state ? "on" : "off") +
           switch_advice(parser, input);
}

std::optional<std::string> misread_number(bool is_bool, const Effect& effect, const Parser& parser,
                                          const ParserInput& input) {
    if (written_number(input.text) == effect.value) {
        return std::nullopt;
    }
    return "reads " + text_in_quotes(input.text) + " as " + printable(effect.value, most_shown) +
           (is_bool ? switch_advice(parser, input) : number_advice(parser, input));
}

std::string without_zeros(std::string digits) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return digits;
}

bool all_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Digits, with single underscores between them.
std::optional<std::string> plain_digits(std::string_view text) {
    if (text.empty() || text.front() == '_' || text.back() == '_' ||
        text.find("__") != std::string_view::npos) {
        return std::nullopt;
    }
    std::string digits(text);
    std::erase(digits, '_');
    return all_digits(digits) ? std::optional(without_zeros(std::move(digits))) : std::nullopt;
}

// "1e3".
std::optional<std::string> with_exponent(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    if (mark == std::string_view::npos || !all_digits(text.substr(0, mark))) {
        return std::nullopt;
    }
    std::string_view exponent = text.substr(mark + 1);
    exponent.remove_prefix(exponent.starts_with('+') ? 1 : 0);
    const auto zeros = parse_number(exponent);
    if (!zeros || *zeros > most_zeros) {
        return std::nullopt;
    }
    return without_zeros(std::string(text.substr(0, mark)) + std::string(*zeros, '0'));
}

std::optional<std::string> magnitude_of(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        const auto value = parse_number(text.substr(2), 16);
        return value ? std::optional(number(*value)) : std::nullopt;
    }
    const auto digits = plain_digits(text);
    return digits ? digits : with_exponent(text);
}

}  // namespace

std::optional<std::string> written_number(std::string_view text) {
    text = trim(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    auto magnitude = magnitude_of(text);
    if (magnitude && negative && *magnitude != "0") {
        magnitude->insert(0, 1, '-');
    }
    return magnitude;
}

std::optional<std::string> misreading(std::string_view type, const Parser& parser,
                                      const ParserInput& input) {
    const Effect effect = parser.read(input);
    const bool is_bool = type == "bool";
    switch (effect.kind) {
        case EffectKind::error:
            return "fails on " + text_in_quotes(input.text) + advice_for(type, parser, input);
        case EffectKind::unset:
            return input.text.empty() ? std::nullopt
                                      : std::optional("ignores " + text_in_quotes(input.text) +
                                                      advice_for(type, parser, input));
        case EffectKind::truth:
            return misread_switch(is_bool, effect.value == "true", parser, input);
        case EffectKind::number:
            if (type == "float") {  // read as it is written, or not at all
                return std::nullopt;
            }
            if (is_bool && meant_by(input.text) != Meant::other) {
                return misread_switch(true, effect.value != "0", parser, input);
            }
            return misread_number(is_bool, effect, parser, input);
        case EffectKind::text:
        case EffectKind::unknown:
            break;
    }
    return std::nullopt;
}

}  // namespace rocenv
