// SPDX-License-Identifier: MIT
// Words and lists of words as NCCL and RCCL read them. They split with strtok: separators in a row
// count as one.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "variables/parsers/c_numbers.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv::parsers {

namespace {

using Words = std::span<const std::string_view>;

std::optional<std::string_view> exactly(Words words, std::string_view text) {
    const auto* end = words.data() + words.size();
    const auto* found = std::find(words.data(), end, text);
    return found == end ? std::nullopt : std::optional(*found);
}

// strcasecmp
std::optional<std::string_view> in_any_case(Words words, std::string_view text) {
    const std::string upper = ascii_upper(text);
    const auto* end = words.data() + words.size();
    const auto* found =
        std::find_if(words.data(), end, [&](auto word) { return ascii_upper(word) == upper; });
    return found == end ? std::nullopt : std::optional(*found);
}

// strtok
std::vector<std::string_view> tokens(std::string_view text, char separator) {
    auto parts = split(text, separator);
    std::erase_if(parts, [](std::string_view part) { return part.empty(); });
    return parts;
}

// Of NCCL itself, whose versions are below 4; those of RCCL's package are ROCm's.
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

// A word that is not known leaves the level below all others. ATTN came with NCCL 2.32; RCCL prints
// errors from ROCm 7.2 on when unset, and not every source that was read has a word for that.
Effect nccl_debug(const ParserInput& input) {
    Effect none = as_text("NONE");
    none.note = "a word it does not know logs nothing";
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

// A digit first: the numbers from before the words.
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
        return open_question("the number does not fit, and what is read then is not defined");
    }
    const auto place = static_cast<std::size_t>(level);
    return as_text(place < old_levels.size() ? old_levels.at(place) : "SYS");
}

// strncmp with the length of each word.
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

// Words joined with |, or one of the old numbers.
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
    if (has[1] || has[2]) {  // the default is no bit
        return as_text(!has[2] ? "EFFICIENCY" : has[1] ? "EFFICIENCY|ZERO" : "ZERO");
    }
    return has[0] ? as_text(words[0]) : ignored();
}

}  // namespace rocenv::parsers
