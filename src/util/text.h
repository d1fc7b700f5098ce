// SPDX-License-Identifier: MIT
// Small text helpers. Numbers are converted by from_chars and to_chars, independent of the locale.
#pragma once

#include <cctype>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace rocenv {

// Returns the text without blanks, tabs and line ends at both ends, and without the NUL bytes that
// some drivers add at its end.
std::string_view trim(std::string_view text);

// Returns the parts between separators, empty ones included: one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

// Returns the words, separated by any run of blanks, tabs and line ends.
std::vector<std::string_view> words(std::string_view text);

// A temporary string, which would end before the views of it.
template <typename Text>
concept TemporaryString = std::same_as<std::remove_const_t<Text>, std::string>;
void trim(TemporaryString auto&& text) = delete;
void split(TemporaryString auto&& text, char separator) = delete;
void words(TemporaryString auto&& text) = delete;

// Returns true if one of the words() equals `word`.
bool contains_word(std::string_view text, std::string_view word);

// Returns the parts with `separator` between them.
std::string join(std::span<const std::string> parts, std::string_view separator);

// Returns "1 setting is" or "2 settings are".
std::string counted_are(std::size_t count, std::string_view noun);

// Returns clauses and sentences as one text: a full stop stands before a part that begins with a
// capital, "; " before others, and a final full stop is kept.
std::string join_sentences(std::span<const std::string> parts);
// Returns the parts in sequence with a single allocation, for texts created thousands of times.
std::string concat(std::initializer_list<std::string_view> parts);

// Parses a number that is the whole text, in digits without blanks, sign or prefix. Leading zeros
// and digits of either case are accepted. Returns std::nullopt for other texts, and above 64 bits.
std::optional<std::uint64_t> parse_number(std::string_view text, int base = 10);
// Parses the same in decimal with an optional minus sign.
std::optional<std::int64_t> parse_signed(std::string_view text);

// Returns "0x" and at least `digits` hexadecimal digits in lower case.
std::string hex(std::uint64_t value, int digits);

// Returns the digits of hex() without the prefix.
std::string bare_hex(std::uint64_t value, int digits);

// Returns the decimal digits of an integer.
std::string number(std::integral auto value) {
    if constexpr (std::signed_integral<decltype(value)>) {
        return std::to_string(static_cast<long long>(value));
    } else {
        return std::to_string(static_cast<unsigned long long>(value));
    }
}

// Returns "1 setting", "3 settings": the noun with "s" unless the count is 1.
std::string counted(std::size_t count, std::string_view noun);

// Returns the text as one line that is safe on a terminal. Each byte of control code points, line
// ends and bidirectional controls, and each byte that is not UTF-8, becomes \xHH. The text is cut
// after at most `limit` bytes, followed by "...". Printable text is unchanged, with its
// backslashes. All text shown to people passes through this function.
std::string printable(std::string_view text, std::size_t limit = 200);
inline constexpr std::size_t uncut = static_cast<std::size_t>(-1);

// The escape sequences of rocenv itself (print/wrap.h applies them to words).
namespace style_code {
inline constexpr std::string_view heading = "\x1b[1m";
// Severities: red, amber, blue and green that colour-blind readers can distinguish and that are
// readable on black and on white (tests/print/test_palette). Each is combined with a word.
inline constexpr std::string_view fail = "\x1b[1;38;5;160m";
inline constexpr std::string_view warn = "\x1b[1;38;5;136m";
inline constexpr std::string_view unknown = "\x1b[1;38;5;33m";
inline constexpr std::string_view pass = "\x1b[1;38;5;29m";
inline constexpr std::string_view end = "\x1b[0m";
}  // namespace style_code

// Parts of a composed text that stay: styles, or styles and line ends.
enum class Kept { styles, both };
// Returns a composed text like printable() without a limit, but keeps these parts.
std::string printable_but(Kept kept, std::string_view text);

// Returns the length of a valid UTF-8 sequence at the start of `text`, which must not be empty; 0
// if there is none.
std::size_t utf8_length(std::string_view text);

// Returns the code point of one valid UTF-8 sequence.
std::uint32_t utf8_code_point(std::string_view sequence);

// Returns true if every byte is printable ASCII or a blank; also for an empty text.
bool is_plain(std::string_view text);

// Returns the length of the common prefix in bytes.
std::size_t common_start(std::string_view left, std::string_view right);

// Returns the number of bytes to insert, remove or change to convert one text into the other;
// std::nullopt above `most`, which must be small (2 or 3).
std::optional<std::size_t> edits_between(std::string_view left, std::string_view right,
                                         std::size_t most);

// Returns a value as sentences show it: "empty" for an empty one, "blank" for blanks only.
std::string shown_value(std::string_view value);
// Returns "a, empty, b": the values as sentences show them.
std::string shown_values(std::span<const std::string_view> values);

// Returns the text with A to Z as a to z, independent of the locale.
std::string lower_case(std::string_view text);

// Returns true if the shell-style pattern, with * and ? only, matches the whole text. Both also
// match "/" and a leading dot; ? matches one byte.
bool glob_match(std::string_view pattern, std::string_view text);

// Returns ascending numbers as "0-3,8"; empty without numbers.
std::string number_list(std::span<const std::uint32_t> numbers);
// Parses "0-3,8" into numbers in the order of the text; an empty text is an empty list. Returns
// std::nullopt if the text is not such a list, has more than 65,536 numbers, or one above 0xffffff.
std::optional<std::vector<std::uint32_t>> parse_number_list(std::string_view text);

// Compares the dotted numbers at the start of two versions (6.2.0 of "6.2.0-66"): <0, 0 or >0.
// Returns std::nullopt if either does not start with a digit. A missing part counts as 0.
std::optional<int> compare_versions(std::string_view left, std::string_view right);

// Classes of bytes in the locale "C": ASCII only.

// Returns whether the byte is an ASCII letter or digit.
inline bool is_letter_or_digit(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

// Returns whether the byte is a hexadecimal digit of any case.
inline bool is_hex_digit(char byte) {
    return std::isxdigit(static_cast<unsigned char>(byte)) != 0;
}

// Detection of characters that control a terminal.

// Returns true for a UTF-8 sequence of two or three bytes that is a C1 control, a mark or override
// of the writing direction, or a line or paragraph separator.
bool is_steering(std::string_view sequence);

// Limit of dots that join names in a TOML file of rocenv. Dots in texts and in names both count;
// further dots of a text are escaped.

constexpr std::size_t most_joined_dots = 100;

// Returns the FNV-1a sum with 64 bits; it distinguishes texts but resists no deliberate collision.
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t sum = 14695981039346656037U;
    for (const char byte : text) {
        sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    return sum;
}

// Returns the text in single quotes for a POSIX shell, for any bytes.
std::string shell_quoted(std::string_view text);

// Returns the text as one word of a command line, quoted by shell_quoted() if necessary.
std::string shell_word(std::string_view text);

// Returns a byte as \xHH.
std::string escaped_byte(char byte);

// Replaces escapes by their bytes: \xHH, and a backslash before one of `letters`. n and t become a
// line end and a tab, any other letter is itself. Returns std::nullopt for another escape.
std::optional<std::string> unescaped(std::string_view text, std::string_view letters);

// Returns true if a text is valid UTF-8, so that TOML and JSON contain it without an escape.
bool is_utf8(std::string_view text);

}  // namespace rocenv
