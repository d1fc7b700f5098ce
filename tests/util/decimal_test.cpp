// SPDX-License-Identifier: MIT
#include "util/decimal.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "support/catch.h"

using namespace rocenv;

TEST_CASE("decimal: the fewest digits that read back as the same number") {
    CHECK(shortest_decimal(0) == "0");
    CHECK(shortest_decimal(0.1) == "0.1");
    CHECK(shortest_decimal(-1.5) == "-1.5");
    CHECK(shortest_decimal(1e300) == "1e+300");
    CHECK(shortest_decimal(1200) == "1200");
    CHECK(shortest_decimal(100000) == "1e+05");
    CHECK(shortest_decimal(123456789) == "123456789");
    CHECK(shortest_decimal(1.0 / 3) == "0.3333333333333333");
    CHECK(shortest_decimal(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(shortest_decimal(std::nan("")) == "nan");
    std::mt19937_64 random(4711);
    for (int at = 0; at < 2000; ++at) {
        const double value = std::ldexp(static_cast<double>(random()), at % 200 - 130);
        const std::string text = shortest_decimal(value);
        INFO(text);
        CHECK(std::strtod(text.c_str(), nullptr) == value);
        CHECK(text.size() < 25);
    }
}

TEST_CASE("decimal: as many digits as are asked for") {
    CHECK(decimal(0.0123456, 4) == "0.01235");
    CHECK(decimal(12, 4) == "12");
    CHECK(decimal(123456, 4) == "1.235e+05");
}
