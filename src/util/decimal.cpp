// SPDX-License-Identifier: MIT
// No code here calls setlocale(), so the decimal separator is a point.
#include "util/decimal.h"

#include <stdlib.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>

namespace rocenv {

std::string decimal(double value, int digits) {
    std::array<char, 32> text{};  // at most 24: 17 digits, a sign, a point and an exponent
    const std::string format = "%." + std::to_string(digits) + "g";
    ::strfromd(text.data(), text.size(), format.c_str(), value);
    return text.data();
}

std::string shortest_decimal(double value) {
    constexpr int enough = 17;  // for any double
    int digits = 1;
    while (digits < enough && std::strtod(decimal(value, digits).c_str(), nullptr) != value) {
        ++digits;
    }
    std::string text = decimal(value, digits);
    const auto mark = text.find("e+");
    if (mark == std::string::npos) {
        return text;
    }
    const int exponent = std::atoi(text.c_str() + mark + 2);
    const std::string plain = exponent < enough ? decimal(value, exponent + 1) : text;
    return plain.size() <= text.size() ? plain : text;
}

ReadDecimal read_decimal(std::string_view text) {
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    const std::string_view number = text.substr(sign);
    if (number.empty() || std::string_view("0123456789.inIN").find(number[0]) == number.npos) {
        return {};
    }
    if (number.starts_with("0x") || number.starts_with("0X")) {
        return {sign == 0 ? 0.0 : -0.0, sign + 1, false};
    }
    const std::string copy(text);
    char* end = nullptr;
    errno = 0;
    const double value = std::strtod(copy.c_str(), &end);
    const bool out_of_range = errno == ERANGE && (value == 0 || std::isinf(value));
    return {out_of_range ? 0 : value, static_cast<std::size_t>(end - copy.c_str()), out_of_range};
}

std::int64_t nearest_integer(double value) {
    constexpr double half = 0.5;
    const auto whole = static_cast<std::int64_t>(value);
    const double rest = value - static_cast<double>(whole);
    return whole + (rest >= half ? 1 : 0) - (rest <= -half ? 1 : 0);
}

}  // namespace rocenv
