// SPDX-License-Identifier: MIT
#include "util/decimal.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

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

TEST_CASE("decimal: numbers are read as std::from_chars reads them") {
    const std::string texts[] = {
        "",       "1",      "-1",     "+1",     " 1",      "1.5",
        "1e3",    "1e",     "1e+",    "1.",     ".5",      ".",
        "-.5e-2", "0x10",   "-0X1p3", "inf",    "-INF",    "nan",
        "-nan",   "nan(1)", "nanx",   "i",      "infinit", "Infinity",
        "1e999",  "-1e999", "1e-999", "4e-320", "1 2",     "1,5",
        "--1",    "- 1",    "00012",  "0x",     "1e5e5",   std::string("1\0002", 3)};
    for (const auto& text : texts) {
        INFO(text);
        double value = 0;
        const auto known = std::from_chars(text.data(), text.data() + text.size(), value);
        const ReadDecimal read = read_decimal(text);
        CHECK(read.length == static_cast<std::size_t>(known.ptr - text.data()));
        CHECK(read.out_of_range == (known.ec == std::errc::result_out_of_range));
        CHECK((std::isnan(value) ? std::isnan(read.value) : read.value == value));
        CHECK(std::signbit(read.value) == std::signbit(value));
    }
}

TEST_CASE("decimal: the nearest integer, halves away from 0, as lround has it") {
    CHECK(nearest_integer(0.49999999999999994) == 0);
    CHECK(nearest_integer(0.5) == 1);
    CHECK(nearest_integer(-0.5) == -1);
    CHECK(nearest_integer(-2.5) == -3);
    CHECK(nearest_integer(4503599627370497.5) == 4503599627370498);
    std::mt19937_64 random(815);
    for (int at = 0; at < 2000; ++at) {
        const double value = std::ldexp(static_cast<double>(random()), at % 66 - 66) - 0.25;
        INFO(value);
        CHECK(nearest_integer(value) == std::llround(value));
        CHECK(nearest_integer(-value) == std::llround(-value));
    }
}
