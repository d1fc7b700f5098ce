// SPDX-License-Identifier: MIT
// Small text helpers. Numbers go through from_chars and to_chars, never through the locale.
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
#include <vector>

namespace rocenv {

// Without blanks and line ends at both ends, and without the NUL bytes that some drivers put behind
// their text.
std::string_view trim(std::string_view text);

std::vector<std::string_view> split(std::string_view text, char separator);

// Words separated by any run of blanks, tabs and line ends.
std::vector<std::string_view> words(std::string_view text);
bool contains_word(std::string_view text, std::string_view word);

std::string join(std::span<const std::string> parts, std::string_view separator);
// The parts behind each other, in one allocation: for what is made for each of thousands.
std::string concat(std::initializer_list<std::string_view> parts);

// The whole text must be the number: no sign, no blanks, no prefix.
std::optional<std::uint64_t> parse_number(std::string_view text, int base = 10);
std::optional<std::int64_t> parse_signed(std::string_view text);

// "0x" and at least `digits` hexadecimal digits.
std::string hex(std::uint64_t value, int digits);

// As hex(), without the prefix.
std::string bare_hex(std::uint64_t value, int digits);

std::string number(std::integral auto value) {
    if constexpr (std::signed_integral<decltype(value)>) {
        return std::to_string(static_cast<long long>(value));
    } else {
        return std::to_string(static_cast<unsigned long long>(value));
    }
}

// "1 setting", "3 settings".
std::string counted(std::size_t count, std::string_view noun);

// Safe on a terminal, and one line: control code points, line ends among them, bidirectional
// controls and bytes that are not UTF-8 as \xHH, cut after at most `limit` bytes, then "...".
// What is printable comes back as it is. Whatever a person is shown went through here.
std::string printable(std::string_view text, std::size_t limit = 200);
inline constexpr std::size_t uncut = static_cast<std::size_t>(-1);

// The escape sequences that are our own (print/wrap.h gives them to words).
namespace style_code {
inline constexpr std::string_view heading = "\x1b[1m";
// Severities: red, amber, blue and green that differ for colour-blind readers and are readable on
// black and on white (tests/print/test_palette). Each goes with a word.
inline constexpr std::string_view fail = "\x1b[1;38;5;160m";
inline constexpr std::string_view warn = "\x1b[1;38;5;136m";
inline constexpr std::string_view unknown = "\x1b[1;38;5;33m";
inline constexpr std::string_view pass = "\x1b[1;38;5;29m";
inline constexpr std::string_view end = "\x1b[0m";
}  // namespace style_code

// All of a text that we put together: as printable(), but what is listed stays as it is.
enum class Kept { styles, both };
std::string printable_but(Kept kept, std::string_view text);

// Length of a valid UTF-8 sequence at the start of `text`, which is not empty; 0 if there is none.
std::size_t utf8_length(std::string_view text);

// Returns the code point of one valid UTF-8 sequence.
std::uint32_t utf8_code_point(std::string_view sequence);

// True when every byte is printable ASCII or a blank.
bool is_plain(std::string_view text);

// Returns the number of bytes that both texts begin with.
std::size_t common_start(std::string_view left, std::string_view right);

// How many bytes must be put in, taken out or changed to make one of the other; nullopt: more than
// `most`, which must be small (2 or 3).
std::optional<std::size_t> edits_between(std::string_view left, std::string_view right,
                                         std::size_t most);

// A to Z as a to z; nothing else changes, whatever the locale.
std::string lower_case(std::string_view text);

// Shell-style match with * and ? only.
bool glob_match(std::string_view pattern, std::string_view text);

// "0-3,8" from sorted numbers, and back. Back is nullopt when the text is not such a list or names
// more than 65,536 numbers.
std::string number_list(std::span<const std::uint32_t> numbers);
std::optional<std::vector<std::uint32_t>> parse_number_list(std::string_view text);

// Compares the dotted numbers that two versions start with (of "6.2.0-66" that is 6.2.0): <0, 0,
// >0; nullopt when either does not start with a digit. A missing part counts as 0.
std::optional<int> compare_versions(std::string_view left, std::string_view right);

// Kinds of bytes, for any byte. Of the program's own locale, which is "C": ASCII alone.

inline bool is_letter_or_digit(char byte) {
    return std::isalnum(static_cast<unsigned char>(byte)) != 0;
}

inline bool is_hex_digit(char byte) {
    return std::isxdigit(static_cast<unsigned char>(byte)) != 0;
}

// Which characters steer a terminal instead of showing anything.

// Returns whether a UTF-8 sequence of two or three bytes is a C1 control, a mark or override of the
// writing direction, or a line or paragraph separator.
bool is_steering(std::string_view sequence);

// How many names a TOML file of ours may join by dots, less one. They are counted without telling
// texts from names, so that a text with more dots is written with the rest of them escaped.

constexpr std::size_t most_joined_dots = 100;

// FNV-1a, 64 bits: tells texts apart that nobody made to be taken for each other.

constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t sum = 14695981039346656037U;
    for (const char byte : text) {
        sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    return sum;
}

// Returns the text between single quotes for a POSIX shell, whatever bytes it holds.
std::string shell_quoted(std::string_view text);

// Returns the text as one word of a command line, quoted where it has to be.
std::string shell_word(std::string_view text);

// Returns a byte as \xHH.
std::string escaped_byte(char byte);

// Replaces escapes by their bytes: \xHH, and a backslash before one of `letters`, of which n and t
// are a line end and a tab and any other is itself. Returns std::nullopt if there is another
// escape.
std::optional<std::string> unescaped(std::string_view text, std::string_view letters);

// Returns whether a text is valid UTF-8, so that TOML and JSON hold it without an escape.
bool is_utf8(std::string_view text);

}  // namespace rocenv
