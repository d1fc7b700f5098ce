// SPDX-License-Identifier: MIT
// Readers in C and C++ that end in a conversion of the C library.
#include <cstdint>
#include <limits>
#include <utility>

#include "variables/parsers/c_numbers.h"
#include "variables/parsers/parser_functions.h"

namespace rocenv::parsers {

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

Effect strtoull(const ParserInput& input) {
    const CInteger scanned = scan_integer(input.text, 0);
    return scanned.binary ? depends_on_c_library() : decimal(as_unsigned(scanned));
}

// RCCL's versions are ROCm's, 4 and up; all that were read are alike. NVIDIA's NCCL takes a text
// without a number for unset in sources of 2026; those of 2.29 and before do not.
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

// std::getenv and atoi up to 2.6, c10::utils::get_env and stoi from 2.7 (pytorch/pytorch#138438 and
// #140594, October and November 2024). Below 0 was 0.
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

// 0 is off. 0_x is a pair as well.
Effect tunableop_numerics(const ParserInput& input) {
    const Effect older = by_version(input, {"PyTorch", "2.5", "2.5"}, not_zero(input), eq1(input));
    Effect newer = truth(false);
    if (input.text != "0") {
        const std::size_t mark = input.text.find('_');
        const auto after = mark == std::string_view::npos ? "" : input.text.substr(mark + 1);
        const double atol = c_stod(input.text.substr(0, mark)).value_or(0);
        const double rtol = c_stod(after).value_or(0);
        newer = atol > 0 && rtol > 0 ? truth(true)
                                     : failure("PyTorch wants 0 or two tolerances, ATOL_RTOL");
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

// The whole text, -1 to 1.
Effect tensile_mode(const ParserInput& input) {
    const CSpan span = decimal_span(input.text);
    const std::int64_t value = as_signed(scan_integer(input.text, 10));
    const bool good = span.any && span.length == input.text.size() && value >= -1 && value <= 1;
    return good ? decimal(value) : ignored();
}

// LOG_ERR to LOG_DEBUG of syslog.
Effect hsakmt_level(const ParserInput& input) {
    const std::int32_t level = c_atoi(input.text);
    return level >= 3 && level <= 7 ? decimal(level) : ignored("only 3 to 7 count");
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

// sscanf "%u.%u.%u%c" has to find three numbers and nothing behind them.
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

}  // namespace rocenv::parsers
