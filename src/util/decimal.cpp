// SPDX-License-Identifier: MIT
// Nothing here calls setlocale(), so that the point is a point.
#include "util/decimal.h"

#include <stdlib.h>

#include <array>
#include <cstdlib>

namespace rocenv {

std::string decimal(double value, int digits) {
    std::array<char, 32> text{};  // 17 digits, a sign, a point and an exponent are 24
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

}  // namespace rocenv
