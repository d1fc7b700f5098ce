// SPDX-License-Identifier: MIT
// Readers that use the text, or look it up among words.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "variables/parsers/parser_functions.h"

namespace rocenv::parsers {

// Readers that use the text, or look it up among words.

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

// Words of MIOPEN_FIND_ENFORCE and MIOPEN_FIND_MODE, if the variable states none of its own.
constexpr std::array<std::string_view, 11> miopen_words = {
    "NONE", "DB_UPDATE", "SEARCH",         "SEARCH_DB_UPDATE", "DB_CLEAN",         "NORMAL",
    "FAST", "HYBRID",    "DYNAMIC_HYBRID", "TRUST_VERIFY",     "TRUST_VERIFY_FULL"};

// Names by number, from 1; mode 4 no longer has a name.
constexpr std::array<std::string_view, 5> enforce_names = {"NONE", "DB_UPDATE", "SEARCH",
                                                           "SEARCH_DB_UPDATE", "DB_CLEAN"};
constexpr std::array<std::string_view, 7> mode_names = {
    "NORMAL", "FAST", "HYBRID", "", "DYNAMIC_HYBRID", "TRUST_VERIFY", "TRUST_VERIFY_FULL"};

// Reads as std::stoul with a cast to an enumeration that is an int. Find-enforce has the numbers 1
// to 5, the find modes 1 to 7 (older releases fewer).
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
    const auto index = static_cast<std::size_t>(value - 1);
    const auto name = enforce ? enforce_names.at(index) : mode_names.at(index);
    return name.empty() ? number_text(number(value)) : as_text(name);
}

// Returns the text between the first and the last quote; std::nullopt if anything but blanks is
// around them.
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
    return open_question("not one of its words, and readers handle this differently");
}

// PyTorch 2.6 compares with one word only; 2.11 uses any text.
Effect gemm_search_space(const ParserInput& input) {
    const std::string upper = ascii_upper(input.text);
    const bool exhaustive = upper == "EXHAUSTIVE";
    return by_version(input, {"PyTorch", "2.7", "2.11"},
                      as_text(exhaustive ? "EXHAUSTIVE" : "DEFAULT"), as_text(upper));
}

// PyTorch 2.6 reads a switch: 1 keeps the compiler's default, which is fast. 2.11 passes the text
// to the compiler.
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

// CLR replaces an empty text by a single blank.
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

// Every reader accepts a plain number and a documented word as such.
Effect unverified(const ParserInput& input) {
    if (is_decimal(input.text)) {
        return number_text(std::string(input.text));
    }
    if (std::find(input.values.begin(), input.values.end(), input.text) != input.values.end()) {
        return as_text(input.text);
    }
    return open_question("the reader was not examined; write only documented values");
}

// Words and lists of words as NCCL and RCCL read them. They split with strtok: several separators
// in a row count as one.

namespace {

using Words = std::span<const std::string_view>;

std::optional<std::string_view> exactly(Words words, std::string_view text) {
    const auto* end = words.data() + words.size();
    const auto* found = std::find(words.data(), end, text);
    return found == end ? std::nullopt : std::optional(*found);
}

// Compares like strcasecmp.
std::optional<std::string_view> in_any_case(Words words, std::string_view text) {
    const std::string upper = ascii_upper(text);
    const auto* end = words.data() + words.size();
    const auto* found =
        std::find_if(words.data(), end, [&](auto word) { return ascii_upper(word) == upper; });
    return found == end ? std::nullopt : std::optional(*found);
}

// Splits like strtok.
std::vector<std::string_view> tokens(std::string_view text, char separator) {
    auto parts = split(text, separator);
    std::erase_if(parts, [](std::string_view part) { return part.empty(); });
    return parts;
}

// Returns whether NCCL itself has at least this version; false for RCCL, whose versions are ROCm's,
// 4 and up. std::nullopt if the version is not known.
std::optional<bool> is_nccl_from(const ParserInput& input, std::string_view version) {
    const auto order = compare_versions(input.version.value_or(""), version);
    const auto rocm = compare_versions(input.version.value_or(""), "4");
    return order ? std::optional(*order >= 0 && rocm.value_or(0) < 0) : std::nullopt;
}

constexpr std::array<std::string_view, 5> functions = {"Broadcast", "Reduce", "AllGather",
                                                       "ReduceScatter", "AllReduce"};

enum class Elements { good, unknown_word, bad_form };

Elements judge_part(std::string_view part, bool first, Words words) {
    const auto sides = tokens(part, ':');
    if (sides.empty() || (sides.size() < 2 && !first) ||
        (sides.size() >= 2 && !in_any_case(functions, sides[0]))) {
        return Elements::bad_form;
    }
    std::string_view list = sides.size() < 2 ? sides[0] : sides[1];
    list.remove_prefix(list.starts_with('^') ? 1 : 0);
    const auto elements = tokens(list, ',');
    const bool good = std::all_of(elements.begin(), elements.end(), [&](std::string_view element) {
        return in_any_case(words, element).has_value();
    });
    return good ? Elements::good : Elements::unknown_word;
}

}  // namespace

Effect exact_word(const ParserInput& input) {
    const auto word = exactly(input.values, input.text);
    return word ? as_text(*word) : ignored();
}

Effect word_nocase(const ParserInput& input) {
    const auto word = in_any_case(input.values, input.text);
    return word ? as_text(*word) : ignored();
}

Effect ofi_word(const ParserInput& input) {
    const auto word = in_any_case(input.values, input.text);
    return word ? as_text(*word) : failure("the plug-in does not start");
}

// An unknown word sets the level below all others. ATTN came with NCCL 2.32. RCCL prints errors
// from ROCm 7.2 on when unset, and not every source that was read has a word for that.
Effect nccl_debug(const ParserInput& input) {
    Effect none = as_text("NONE");
    none.note = "an unknown word logs nothing";
    const auto word = in_any_case(input.values, input.text);
    if (!word) {
        return none;
    }
    if (*word == "ERROR") {
        return open_question("not every release of RCCL has a word for errors only");
    }
    if (*word == "ATTN") {
        const auto has_it = is_nccl_from(input, "2.32");
        return !has_it   ? open_question("a word of NCCL 2.32, not of RCCL")
               : *has_it ? as_text(*word)
                         : none;
    }
    return as_text(*word);
}

Effect nccl_words(const ParserInput& input) {
    const bool inverted = input.text.starts_with('^');
    std::vector<std::string> known;
    for (const auto item : tokens(input.text.substr(inverted ? 1 : 0), ',')) {
        if (const auto word = in_any_case(input.values, item)) {
            known.emplace_back(*word);
        }
    }
    return as_text((inverted ? "^" : "") + join(known, ","));
}

// One unknown word makes the whole text the default.
Effect nccl_bits(const ParserInput& input) {
    const bool inverted = input.text.starts_with('^');
    std::vector<std::string> known;
    for (const auto item : split(input.text.substr(inverted ? 1 : 0), ',')) {
        const auto trimmed = trim(item);
        const auto word = in_any_case(input.values, trimmed);
        if (!word && !trimmed.empty()) {
            return ignored("NCCL uses the default because it does not know every word");
        }
        if (word) {
            known.emplace_back(*word);
        }
    }
    return as_text((inverted ? "^" : "") + join(known, ","));
}

// Reads a word, or a text that starts with a digit: the older numbers.
Effect nccl_level(const ParserInput& input) {
    constexpr std::array<std::string_view, 4> old_levels = {"LOC", "PIX", "PXB", "PHB"};
    if (const auto word = exactly(input.values, input.text)) {
        return as_text(*word);
    }
    if (input.text.empty() || input.text.front() < '0' || input.text.front() > '9') {
        return ignored();
    }
    const auto level = static_cast<std::int32_t>(as_signed(scan_integer(input.text, 0)));
    if (level < 0) {
        return open_question("the number does not fit, and the result is undefined");
    }
    const auto index = static_cast<std::size_t>(level);
    return as_text(index < old_levels.size() ? old_levels.at(index) : "SYS");
}

// Compares like strncmp with the length of each word.
Effect nccl_merge_level(const ParserInput& input) {
    for (const auto word : input.values) {
        if (!word.empty() && input.text.starts_with(word)) {
            return as_text(word);
        }
    }
    return as_text("LOC");
}

Effect nccl_netdevs(const ParserInput& input) {
    const std::string upper = ascii_upper(input.text);
    if (upper == "ALL") {
        return as_text(upper);
    }
    const std::int32_t most = upper.starts_with("MAX:") ? c_atoi(upper.substr(4)) : 0;
    return as_text(most > 0 ? "MAX:" + number(most) : "AUTO");
}

Effect nccl_elements(const ParserInput& input) {
    const auto parts = tokens(input.text, ';');
    if (parts.empty()) {
        return ignored();
    }
    Elements worst = Elements::good;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        worst = std::max(worst, judge_part(parts[at], at == 0, input.values));
    }
    if (worst == Elements::bad_form) {
        return failure("ncclInvalidUsage");
    }
    return worst == Elements::good ? as_text(input.text)
                                   : by_version(input, {"NCCL", "2.24", "2.24"},
                                                as_text(input.text), failure("ncclInvalidUsage"));
}

// Reads words joined with |, or one of the old numbers.
Effect nccl_cta_policy(const ParserInput& input) {
    constexpr std::array<std::string_view, 3> words = {"DEFAULT", "EFFICIENCY", "ZERO"};
    if (!input.text.empty() && input.text.front() >= '0' && input.text.front() <= '9') {
        const auto old = static_cast<std::size_t>(input.text.front() - '0');
        return old < words.size() ? as_text(words.at(old)) : ignored();
    }
    std::array<bool, 3> has{};
    for (const auto item : tokens(input.text, '|')) {
        if (const auto word = in_any_case(words, item)) {
            has.at(static_cast<std::size_t>(std::find(words.begin(), words.end(), *word) -
                                            words.begin())) = true;
        }
    }
    if (has[1] || has[2]) {  // the default has no bit of its own
        return as_text(!has[2] ? "EFFICIENCY" : has[1] ? "EFFICIENCY|ZERO" : "ZERO");
    }
    return has[0] ? as_text(words[0]) : ignored();
}

}  // namespace rocenv::parsers
