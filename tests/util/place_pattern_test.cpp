// SPDX-License-Identifier: MIT
#include "util/place_pattern.h"

#include <string>

#include "support/catch.h"

namespace place_pattern_test {

namespace {

using namespace rocenv;

struct PatternCase {
    const char* pattern;
    std::string text;
    bool matches;
};

TEST_CASE("A pattern stands for a whole text", "[place_pattern]") {
    const PatternCase cases[] = {{"", "", true},
                                 {"/proc/x", "/proc/x", true},
                                 {"/proc/x", "/proc/xy", false},
                                 {"cpu<n>/online", "cpu0/online", true},
                                 {"cpu<n>/online", "cpu4294967295/online", true},
                                 {"cpu<n>/online", "cpu4294967296/online", false},
                                 {"cpu<n>/online", "cpu00/online", false},
                                 {"cpu<n>/online", "cpu/online", false},
                                 {"<0-2>", "2", true},
                                 {"<0-2>", "3", false},
                                 {"<0-2>", "02", false},
                                 {"<0-2>", "2\n", false},
                                 {"<bdf>/x", "0000:05:00.0/x", true},
                                 {"<bdf>/x", "../x", false},
                                 {"s <word>", "s power_save-1", true},
                                 {"s <word>", "s Power", false},
                                 {"<word>", "", false},
                                 {"<word>", std::string(16, 'a'), false},
                                 {"conf/<if>/x", "conf/ens6np0/x", true},
                                 {"conf/<if>/x", "conf/ens6np0.100/x", true},
                                 {"conf/<if>/x", "conf/all/x", false},
                                 {"conf/<if>/x", "conf/default/x", false},
                                 {"conf/<if>/x", "conf/../x", false},
                                 {"conf/<if>/x", "conf//x", false},
                                 {"conf/<if>/x", "conf/a b/x", false},
                                 {"conf/<if>/x", "conf/a/b/x", false},
                                 {"conf/<if>/x", "conf/" + std::string(15, 'e') + "/x", true},
                                 {"conf/<if>/x", "conf/" + std::string(16, 'e') + "/x", false},
                                 {"<le16>", std::string("\0\xff", 2), true},
                                 {"<le16>", "\xff\xff", false},
                                 {"<le16>", "\x01", false}};
    for (const auto& item : cases) {
        INFO(item.pattern << " " << item.text);
        CHECK(matches_pattern(item.pattern, item.text) == item.matches);
    }
}

TEST_CASE("A range is told of a pattern that is one", "[place_pattern]") {
    const auto range = range_of("<10-200>");
    REQUIRE(range);
    CHECK(range->lowest == 10);
    CHECK(range->highest == 200);
    CHECK((range->holds(10) && range->holds(200)));
    CHECK_FALSE((range->holds(9) || range->holds(201)));
    for (const auto* other : {"", "<", "<>", "<n>", "<word>", "<0->", "<-1>", "<7>", "0-1",
                              "<0-1> ", "s <0-1>", "<0-1>|<5-9>", "<0-x>"}) {
        INFO(other);
        CHECK_FALSE(range_of(other));
    }
}

}  // namespace

}  // namespace place_pattern_test
