// SPDX-License-Identifier: MIT
// Readers in C and C++ that end in a conversion of the C library.
#include <cstdint>
#include <limits>

#include "environment/c_numbers.h"
#include "environment/parser_functions.h"

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

// std::getenv and atoi up to 2.5; c10::utils::get_env and stoi came with pytorch/pytorch#138438 and
// #140594 (October and November 2024), near the branch of 2.6.
Effect tunable_int(const ParserInput& input) {
    return by_version(input, {"PyTorch", "2.6", "2.7"}, atoi(input), stoi(input));
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
