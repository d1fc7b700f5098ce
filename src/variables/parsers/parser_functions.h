// SPDX-License-Identifier: MIT
// The functions behind the rows of parsers.cpp and their shared parts; integers as the C library
// reads them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "util/text.h"
#include "variables/parsers/parsers.h"

namespace rocenv {

// Integers as the C library reads them (strtol and its relatives, C locale): blanks, a sign, then
// as many digits as there are. The rest of the text is ignored. glibc's behaviour if the standard
// leaves a choice.

struct CInteger {
    bool any = false;       // at least one digit was found
    bool negative = false;  // a minus sign precedes the digits
    bool beyond = false;    // more than 64 bits: magnitude is the largest
    bool binary = false;    // "0b" and a digit, with base 0: a number since C23, 0 in older C
    std::uint64_t magnitude = 0;
};

// Reads an integer with base 10, or with base 0: "0x" is hexadecimal, "0" octal.
CInteger scan_integer(std::string_view text, int base);

// Returns the number as strtoll does: limited to its range.
std::int64_t as_signed(const CInteger& number);
// Returns the number as strtoull does: limited to its range; a negative number wraps around.
std::uint64_t as_unsigned(const CInteger& number);
// Returns whether strtoll returns the number unchanged.
bool fits_signed(const CInteger& number);

// Length of the text that scan_integer reads with base 10, and whether it has a digit.
struct CSpan {
    bool any = false;
    std::size_t length = 0;
};
// Returns the span of blanks, sign and digits at the start of the text.
CSpan decimal_span(std::string_view text);

// Reads a number as std::stod does; std::nullopt if that throws. A hexadecimal number is read as 0,
// its first digit.
std::optional<double> c_stod(std::string_view text);

// Returns (int)strtol(text): the low 32 bits, so a number above the range of 64 bits is -1.
std::int32_t c_atoi(std::string_view text);

}  // namespace rocenv

namespace rocenv::parsers {

// The functions behind the rows of parsers.cpp and their shared parts. The rows describe each
// function and name the program's source.

// Returns the truth value.
inline Effect truth(bool value) {
    return {EffectKind::truth, value ? "true" : "false", {}};
}
// Returns a number in decimal digits.
Effect number_text(std::string decimal);
// Returns a text that is used as it is.
Effect as_text(std::string_view text);
// Returns the effect of a text that counts as not set.
Effect ignored(std::string note = {});
// Returns the effect of a text with which the program fails.
Effect failure(std::string note = {});
// Returns an unknown effect; `note` is the reason.
Effect open_question(std::string note);

// A reader that changed: versions below `old_until` read as `older`, those from `new_from` on as
// `newer`. Between the two (source not seen) and without a known version the result is `older` only
// if both are equal, else unknown.
struct Change {
    std::string_view package;  // for the note: "PyTorch"
    std::string_view old_until;
    std::string_view new_from;
};
// Returns the effect for `input.version`.
Effect by_version(const ParserInput& input, const Change& change, Effect older, Effect newer);

// Returns whether the text is equal to one of the words.
bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words);
// Returns the text with ASCII letters in lower case.
std::string ascii_lower(std::string_view text);
// Returns the text with ASCII letters in upper case.
std::string ascii_upper(std::string_view text);

// Parse truth values (parsers_numbers.cpp); the rows describe each.
Effect eq_capital_true(const ParserInput& input);
Effect eq1(const ParserInput& input);
Effect not_zero(const ParserInput& input);
Effect zero_one_or_default(const ParserInput& input);
Effect nonempty(const ParserInput& input);
Effect torch_config(const ParserInput& input);
Effect eq1_torch_config(const ParserInput& input);
Effect compile_disable(const ParserInput& input);
Effect compile_debug(const ParserInput& input);
Effect tunableop_backend(const ParserInput& input);
Effect present(const ParserInput& input);
Effect first_not_zero(const ParserInput& input);
Effect first_one(const ParserInput& input);
Effect clr_bool(const ParserInput& input);
Effect c10_check(const ParserInput& input);
Effect cvar_bool(const ParserInput& input);
Effect triton_bool(const ParserInput& input);
Effect triton_bool_or_name(const ParserInput& input);
Effect triton_knob(const ParserInput& input);
Effect miopen_bool(const ParserInput& input);
Effect not_off_word(const ParserInput& input);
Effect hf_bool(const ParserInput& input);
Effect sglang_bool(const ParserInput& input);
Effect accelerate_flag(const ParserInput& input);
Effect mori_flag(const ParserInput& input);
Effect mori_bool(const ParserInput& input);
Effect nccl_bool(const ParserInput& input);
Effect py_lower_yes(const ParserInput& input);
Effect py_lower_true(const ParserInput& input);
Effect py_lower_true1(const ParserInput& input);
Effect py_lower_true1_yes(const ParserInput& input);

// Parse numbers, and switches that are numbers (parsers_numbers.cpp).
Effect atoi(const ParserInput& input);
Effect atoi_unsigned(const ParserInput& input);
Effect atol_size(const ParserInput& input);
Effect stoi(const ParserInput& input);
Effect stoull(const ParserInput& input);
Effect te_int(const ParserInput& input);
Effect whole_int(const ParserInput& input);
Effect ofi_int(const ParserInput& input);
Effect ofi_bool(const ParserInput& input);
Effect te_bool(const ParserInput& input);
Effect mori_one(const ParserInput& input);
Effect strtoull(const ParserInput& input);
Effect nccl_int(const ParserInput& input);
Effect tunable_int(const ParserInput& input);
Effect tunable_count(const ParserInput& input);
Effect stoi_or_default(const ParserInput& input);
Effect stoi_positive(const ParserInput& input);
Effect tunableop_numerics(const ParserInput& input);
Effect strtol(const ParserInput& input);
Effect strtol_bool(const ParserInput& input);
Effect nccl_one(const ParserInput& input);
Effect tensile_mode(const ParserInput& input);
Effect hsakmt_level(const ParserInput& input);
Effect hsa_priority(const ParserInput& input);
Effect gfx_version(const ParserInput& input);
Effect rocr_int(const ParserInput& input);
Effect rocr_size(const ParserInput& input);
Effect scanned_unsigned(const ParserInput& input);

// Parse numbers, words and switches as Python programs do (parsers_python.cpp).
Effect py_int(const ParserInput& input);
Effect sglang_int(const ParserInput& input);
Effect py_int_bool(const ParserInput& input);
Effect sglang_float(const ParserInput& input);
Effect py_int_or_all(const ParserInput& input);
Effect py_float(const ParserInput& input);
Effect py_digits(const ParserInput& input);
Effect py_int_or_empty(const ParserInput& input);
Effect py_strip_on(const ParserInput& input);
Effect py_strip_not_off(const ParserInput& input);
Effect py_strip_true1(const ParserInput& input);
Effect py_strip_yes(const ParserInput& input);
Effect py_choice(const ParserInput& input);
Effect py_choice_nocase(const ParserInput& input);

// Parse words and lists, most of them as NCCL does (parsers_words.cpp).
Effect exact_word(const ParserInput& input);
Effect ofi_word(const ParserInput& input);
Effect word_nocase(const ParserInput& input);
Effect nccl_debug(const ParserInput& input);
Effect nccl_words(const ParserInput& input);
Effect nccl_bits(const ParserInput& input);
Effect nccl_level(const ParserInput& input);
Effect nccl_merge_level(const ParserInput& input);
Effect nccl_netdevs(const ParserInput& input);
Effect nccl_elements(const ParserInput& input);
Effect nccl_cta_policy(const ParserInput& input);

// Parse free texts and lists (parsers_words.cpp).
Effect string(const ParserInput& input);
Effect string_upper(const ParserInput& input);
Effect gemm_search_space(const ParserInput& input);
Effect contract_flag(const ParserInput& input);
Effect comma_list(const ParserInput& input);
Effect comma_list_upper(const ParserInput& input);
Effect clr_string(const ParserInput& input);
Effect miopen_enum(const ParserInput& input);
Effect unverified(const ParserInput& input);

}  // namespace rocenv::parsers
