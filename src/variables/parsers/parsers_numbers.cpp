// SPDX-License-Identifier: MIT
// Readers in C and C++: those that end in a conversion of the C library, and those of booleans.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "util/decimal.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv {

namespace {

constexpr std::uint64_t most_signed = std::numeric_limits<std::int64_t>::max();

bool is_c_blank(char byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

// 36 and more: not a digit of any base.
unsigned digit_of(char byte) {
    if (byte >= '0' && byte <= '9') {
        return static_cast<unsigned>(byte - '0');
    }
    const char lower = static_cast<char>(byte | 0x20);
    return lower >= 'a' && lower <= 'z' ? static_cast<unsigned>(lower - 'a') + 10 : 36;
}

bool starts_prefixed(std::string_view text, char letter, unsigned base) {
    return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter &&
           digit_of(text[2]) < base;
}

void take_digits(std::string_view text, unsigned base, CInteger& number) {
    for (const char byte : text) {
        const unsigned digit = digit_of(byte);
        if (digit >= base) {
            return;
        }
        number.any = true;
        std::uint64_t next = 0;
        if (number.beyond || __builtin_mul_overflow(number.magnitude, base, &next) ||
            __builtin_add_overflow(next, digit, &next)) {
            number.beyond = true;
            next = std::numeric_limits<std::uint64_t>::max();
        }
        number.magnitude = next;
    }
}

}  // namespace

CInteger scan_integer(std::string_view text, int base) {
    CInteger number;
    while (!text.empty() && is_c_blank(text.front())) {
        text.remove_prefix(1);
    }
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        number.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    auto used = static_cast<unsigned>(base);
    if (base == 0 && starts_prefixed(text, 'x', 16)) {
        used = 16;
        text.remove_prefix(2);
    } else if (base == 0) {
        number.binary = starts_prefixed(text, 'b', 2);
        used = !text.empty() && text.front() == '0' ? 8 : 10;
    }
    take_digits(text, used, number);
    return number;
}

bool fits_signed(const CInteger& number) {
    return !number.beyond && number.magnitude <= most_signed + (number.negative ? 1 : 0);
}

std::int64_t as_signed(const CInteger& number) {
    if (!fits_signed(number)) {
        return number.negative ? std::numeric_limits<std::int64_t>::min()
                               : std::numeric_limits<std::int64_t>::max();
    }
    return static_cast<std::int64_t>(number.negative ? 0 - number.magnitude : number.magnitude);
}

std::uint64_t as_unsigned(const CInteger& number) {
    return number.negative && !number.beyond ? 0 - number.magnitude : number.magnitude;
}

CSpan decimal_span(std::string_view text) {
    CSpan span;
    while (span.length < text.size() && is_c_blank(text[span.length])) {
        ++span.length;
    }
    if (span.length < text.size() && (text[span.length] == '-' || text[span.length] == '+')) {
        ++span.length;
    }
    while (span.length < text.size() && digit_of(text[span.length]) < 10) {
        ++span.length;
        span.any = true;
    }
    return span;
}

std::optional<double> c_stod(std::string_view text) {
    while (!text.empty() && is_c_blank(text.front())) {
        text.remove_prefix(1);
    }
    if (text.starts_with('+') && !text.starts_with("+-")) {
        text.remove_prefix(1);
    }
    const ReadDecimal read = read_decimal(text);
    return read.length > 0 && !read.out_of_range ? std::optional(read.value) : std::nullopt;
}

std::int32_t c_atoi(std::string_view text) {
    return static_cast<std::int32_t>(as_signed(scan_integer(text, 10)));
}

}  // namespace rocenv

namespace rocenv::parsers {

// Readers in C and C++ that end in a conversion of the C library.

namespace {

template <typename Number>
Effect decimal(Number value) {
    return number_text(number(value));
}

// With base 0 the C library of glibc 2.38 and later reads "0b" in C++ programs built against it.
Effect depends_on_c_library() {
    return open_question(
        "0b is a prefix only for programs built with a C library of 2023 or later");
}

Effect not_negative(Effect read) {
    return read.kind == EffectKind::number && read.value.starts_with('-') ? decimal(0)
                                                                          : std::move(read);
}

}  // namespace

Effect atoi(const ParserInput& input) {
    return decimal(c_atoi(input.text));
}

Effect atoi_unsigned(const ParserInput& input) {
    return decimal(static_cast<std::uint32_t>(c_atoi(input.text)));
}

Effect atol_size(const ParserInput& input) {
    return decimal(static_cast<std::uint64_t>(as_signed(scan_integer(input.text, 10))));
}

Effect stoi(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 10);
    if (!scanned.any) {
        return failure("std::invalid_argument");
    }
    const std::int64_t value = as_signed(scanned);
    using Int = std::numeric_limits<std::int32_t>;
    if (!fits_signed(scanned) || value < Int::min() || value > Int::max()) {
        return failure("std::out_of_range");
    }
    return decimal(value);
}

// Reads as std::stoull: a minus sign wraps around, as with strtoull.
Effect stoull(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 10);
    return !scanned.any     ? failure("std::invalid_argument")
           : scanned.beyond ? failure("std::out_of_range")
                            : decimal(as_unsigned(scanned));
}

// Reads as operator>> of a stream into a bool: a number that must be 0 or 1; the rest of the text
// is ignored.
Effect te_bool(const ParserInput& input) {
    if (input.text.empty()) {
        return ignored();
    }
    const CInteger scanned = scan_integer(input.text, 10);
    const bool is_one = scanned.magnitude == 1 && !scanned.negative;
    return scanned.any && (is_one || scanned.magnitude == 0) ? truth(is_one)
                                                             : failure("Transformer Engine throws");
}

// Reads as operator>> of a stream into an int; the rest of the text is ignored.
Effect te_int(const ParserInput& input) {
    return input.text.empty() ? ignored() : stoi(input);
}

// Reads as strtoll with base 10, of which the end of the text must be the end of the number.
Effect whole_int(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 10);
    const bool is_whole = scanned.any && decimal_span(input.text).length == input.text.size();
    return is_whole && fits_signed(scanned) ? decimal(as_signed(scanned))
                                            : ignored("the reader uses its default");
}

Effect ofi_int(const ParserInput& input) {
    const Effect read = whole_int(input);
    return read.kind == EffectKind::number ? read : failure("the plug-in does not start");
}

Effect ofi_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"true", "false"})) {
        return truth(lower == "true");
    }
    const Effect read = ofi_int(input);
    return read.kind == EffectKind::number ? truth(read.value != "0") : read;
}

// Reads a whole text as a number of eight bits; only 1 is on.
Effect mori_one(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 10);
    const auto last = input.text.find_last_of("0123456789");
    const bool is_whole = scanned.any && last + 1 == input.text.size();
    return truth(is_whole && !scanned.negative && scanned.magnitude == 1);
}

Effect strtoull(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 0);
    return scanned.binary ? depends_on_c_library() : decimal(as_unsigned(scanned));
}

// RCCL's versions are ROCm's, 4 and up; all sources that were read are equal. NVIDIA's NCCL treats
// a text without a number as unset in sources of 2026, but not in 2.29 and before.
Effect nccl_int(const ParserInput& input) {
    if (input.text.empty()) {
        return ignored();
    }
    const CInteger scanned = scan_integer(input.text, 0);
    if (scanned.binary) {
        return depends_on_c_library();
    }
    if (!fits_signed(scanned)) {
        return ignored("beyond 64 bits, so the default is used");
    }
    const auto from_new = compare_versions(input.version.value_or(""), "2.30");
    const auto from_rocm = compare_versions(input.version.value_or(""), "4");
    if (!scanned.any && from_new.value_or(-1) >= 0 && from_rocm.value_or(-1) < 0) {
        return open_question("0 in some releases of NCCL, the default in newer ones");
    }
    return decimal(as_signed(scanned));
}

// PyTorch uses std::getenv and atoi up to 2.6, c10::utils::get_env and stoi from 2.7
// (pytorch/pytorch#138438 and #140594, October and November 2024). A negative number was 0 up to
// 2.6.
Effect tunable_int(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.7", "2.7"}, not_negative(atoi(input)), stoi(input));
}

Effect tunable_count(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.7", "2.7"}, not_negative(atoi(input)),
                      not_negative(stoi(input)));
}

Effect stoi_or_default(const ParserInput& input) {
    Effect read = stoi(input);
    return read.kind == EffectKind::number ? read : ignored("PyTorch warns and uses the default");
}

Effect stoi_positive(const ParserInput& input) {
    const Effect read = stoi(input);
    return read.kind == EffectKind::number && read.value != "0" && !read.value.starts_with('-')
               ? read
               : ignored("PyTorch warns and uses the default");
}

// Reads 0 as off, else a pair of tolerances; 0_x is a pair, too.
Effect tunableop_numerics(const ParserInput& input) {
    const Effect older = by_version(input, {"PyTorch", "2.5", "2.5"}, not_zero(input), eq1(input));
    Effect newer = truth(false);
    if (input.text != "0") {
        const std::size_t mark = input.text.find('_');
        const auto after = mark == std::string_view::npos ? "" : input.text.substr(mark + 1);
        const double atol = c_stod(input.text.substr(0, mark)).value_or(0);
        const double rtol = c_stod(after).value_or(0);
        newer = atol > 0 && rtol > 0 ? truth(true)
                                     : failure("PyTorch expects 0 or two tolerances, ATOL_RTOL");
    }
    return by_version(input, {"PyTorch", "2.10", "2.10"}, older, std::move(newer));
}

Effect strtol(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 0);
    return scanned.binary ? depends_on_c_library() : decimal(as_signed(scanned));
}

Effect strtol_bool(const ParserInput& input) {
    const Effect read = strtol(input);
    return read.kind == EffectKind::number ? truth(read.value != "0") : read;
}

Effect nccl_one(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 0);
    if (input.text.empty() || !fits_signed(scanned)) {
        return ignored();
    }
    return scanned.binary ? depends_on_c_library() : truth(as_signed(scanned) == 1);
}

// Accepts a whole text that is a number from -1 to 1.
Effect tensile_mode(const ParserInput& input) {
    const CSpan span = decimal_span(input.text);
    const std::int64_t value = as_signed(scan_integer(input.text, 10));
    const bool good = span.any && span.length == input.text.size() && value >= -1 && value <= 1;
    return good ? decimal(value) : ignored();
}

// Accepts 3 to 7: LOG_ERR to LOG_DEBUG of syslog.
Effect hsakmt_level(const ParserInput& input) {
    const std::int32_t level = c_atoi(input.text);
    return level >= 3 && level <= 7 ? decimal(level) : ignored("only 3 to 7 are used");
}

Effect hsa_priority(const ParserInput& input) {
    if (is_one_of(input.text, {"MAX", "HIGH"})) {
        return as_text(input.text);
    }
    const std::int32_t priority = c_atoi(input.text);
    if (input.text.empty() || priority < 0 || priority > 99) {
        return ignored();
    }
    return decimal(priority);
}

// Reads as sscanf "%u.%u.%u%c": exactly three numbers and nothing after them.
Effect gfx_version(const ParserInput& input) {
    std::string_view rest = input.text;
    std::string version;
    for (const std::uint32_t most : {63U, 255U, 255U}) {
        const CSpan span = decimal_span(rest);
        const auto part = static_cast<std::uint32_t>(as_unsigned(scan_integer(rest, 10)));
        rest.remove_prefix(span.length);
        const bool dotted = most == 63U || version.ends_with('.');
        if (!span.any || !dotted || part > most) {
            return failure("the GPUs are not found");
        }
        version += number(part);
        if (rest.starts_with('.')) {
            rest.remove_prefix(1);
            version += '.';
        }
    }
    return rest.empty() && !version.ends_with('.') ? as_text(version)
                                                   : failure("the GPUs are not found");
}

Effect rocr_int(const ParserInput& input) {
    return input.text.empty() ? ignored() : atoi(input);
}

Effect rocr_size(const ParserInput& input) {
    return decimal(as_unsigned(scan_integer(input.text, 10)));
}

Effect scanned_unsigned(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 10);
    return scanned.any ? decimal(static_cast<std::uint32_t>(as_unsigned(scanned))) : ignored();
}

namespace {

// Returns the value that torch.utils._config_module keeps for a text that is neither 0 nor 1.
Effect kept_text(const ParserInput& input) {
    Effect kept = truth(!input.text.empty());
    kept.note = "the reader keeps the text, and any text that is not empty counts as true";
    return kept;
}

}  // namespace

Effect eq_capital_true(const ParserInput& input) {
    return truth(input.text == "TRUE");
}

Effect eq1(const ParserInput& input) {
    return truth(input.text == "1");
}

Effect not_zero(const ParserInput& input) {
    return truth(input.text != "0");
}

Effect zero_one_or_default(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return ignored();
}

Effect nonempty(const ParserInput& input) {
    return truth(!input.text.empty());
}

Effect present(const ParserInput& /*input*/) {
    return truth(true);
}

// An empty text is on: its first byte is the end of the text, which is not 0 either.
Effect first_not_zero(const ParserInput& input) {
    return truth(!input.text.starts_with('0'));
}

Effect first_one(const ParserInput& input) {
    return truth(input.text.starts_with('1'));
}

// pytorch/pytorch#145980 (January 2025, after the branch of 2.6 was cut) keeps other texts.
Effect torch_config(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return by_version(input, {"PyTorch", "2.7", "2.7"}, ignored(), kept_text(input));
}

Effect eq1_torch_config(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return by_version(input, {"PyTorch", "2.7", "2.7"}, truth(false), kept_text(input));
}

// Any text that was not empty counted until an issue of March 2025 (pytorch/pytorch#149840).
Effect compile_disable(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.8", "2.8"}, nonempty(input), eq1(input));
}

// PyTorch 2.11 also calls int(text) if INDUCTOR_PROVENANCE is not set.
Effect compile_debug(const ParserInput& input) {
    const bool whole = py_int(input).kind == EffectKind::number;
    return by_version(input, {"PyTorch", "2.7", "2.11"}, eq1(input),
                      whole ? eq1(input) : failure("the import of PyTorch's Inductor fails"));
}

// PyTorch uses strcmp up to 2.6, c10::utils::check_env later.
Effect tunableop_backend(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.7", "2.7"}, eq1(input), c10_check(input));
}

// CLR replaces an empty text by a single blank: false like any other text without a number.
Effect clr_bool(const ParserInput& input) {
    return truth(input.text == "true" || c_atoi(input.text) != 0);
}

Effect c10_check(const ParserInput& input) {
    if (input.text == "0" || input.text == "1") {
        return truth(input.text == "1");
    }
    return ignored("PyTorch warns and uses the default");
}

Effect cvar_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"y", "yes", "1", "t", "true"})) {
        return truth(true);
    }
    if (is_one_of(lower, {"n", "no", "0", "f", "false"})) {
        return truth(false);
    }
    return failure("PyTorch raises when the process group is created");
}

Effect triton_bool(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"on", "true", "1"}));
}

Effect triton_bool_or_name(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"on", "true", "1"})) {
        return truth(true);
    }
    if (is_one_of(lower, {"off", "false", "0", ""})) {
        return truth(false);
    }
    Effect name = as_text(input.text);
    name.note = "the reader uses it as the name of a kernel";
    return name;
}

// Before python/triton/knobs.py each caller compared with "1"; the knobs call getenv_bool.
Effect triton_knob(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    return by_version(input, {"Triton", "3.4", "3.4"}, truth(input.text == "1"),
                      truth(is_one_of(lower, {"1", "y", "on", "yes", "true"})));
}

// Before ROCm/MIOpen#2514 (November 2023) a text in neither list was neither on nor off.
Effect miopen_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"1", "enable", "enabled", "yes", "on", "true"})) {
        return truth(true);
    }
    if (is_one_of(lower, {"0", "disable", "disabled", "no", "off", "false"})) {
        return truth(false);
    }
    return by_version(input, {"ROCm", "6.1", "6.2"}, ignored(), failure("MIOpen throws"));
}

Effect not_off_word(const ParserInput& input) {
    return truth(!is_one_of(ascii_lower(input.text), {"", "off", "false", "f", "no", "n", "0"}));
}

Effect hf_bool(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"1", "on", "yes", "true"}));
}

Effect sglang_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"true", "1", "yes", "y"})) {
        return truth(true);
    }
    return is_one_of(lower, {"false", "0", "no", "n"}) ? truth(false)
                                                       : ignored("the reader warns and continues");
}

Effect accelerate_flag(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"y", "yes", "t", "true", "on", "1"})) {
        return truth(true);
    }
    return is_one_of(lower, {"n", "no", "f", "false", "off", "0"}) ? truth(false)
                                                                   : failure("ValueError");
}

Effect mori_flag(const ParserInput& input) {
    return truth(!is_one_of(ascii_lower(input.text), {"", "0", "false", "off", "no"}));
}

// Empty is ignored like other unknown texts, without a warning.
Effect mori_bool(const ParserInput& input) {
    const std::string lower = ascii_lower(input.text);
    if (is_one_of(lower, {"1", "true", "on", "yes"})) {
        return truth(true);
    }
    return is_one_of(lower, {"0", "false", "off", "no"}) ? truth(false) : ignored();
}

Effect nccl_bool(const ParserInput& input) {
    const std::string upper = ascii_upper(input.text);
    if (is_one_of(upper, {"1", "T", "TRUE"})) {
        return truth(true);
    }
    return is_one_of(upper, {"0", "F", "FALSE"}) ? truth(false) : ignored();
}

// PyTorch added lower() between 2.6 and 2.14.
Effect py_lower_yes(const ParserInput& input) {
    const auto is_yes = [](std::string_view text) {
        return truth(is_one_of(text, {"1", "y", "yes", "true"}));
    };
    return by_version(input, {"PyTorch", "2.7", "2.14"}, is_yes(input.text),
                      is_yes(ascii_lower(input.text)));
}

Effect py_lower_true(const ParserInput& input) {
    return truth(ascii_lower(input.text) == "true");
}

Effect py_lower_true1(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"true", "1"}));
}

Effect py_lower_true1_yes(const ParserInput& input) {
    return truth(is_one_of(ascii_lower(input.text), {"true", "1", "yes"}));
}

}  // namespace rocenv::parsers
