// SPDX-License-Identifier: MIT
#include "util/utc_time.h"

#include <string>

#include "support/catch.h"

namespace rocenv::utc_time_test {

TEST_CASE("utc time: what a report says is read back", "[utc_time]") {
    CHECK(utc_seconds("1970-01-01T00:00:00Z") == 0);
    CHECK(utc_seconds("2026-11-20T19:31:07Z") == 1795203067);
    CHECK(utc_seconds("2024-02-29T23:59:59Z") == 1709251199);
    CHECK(utc_seconds("2016-12-31T23:59:60Z") == 1483228800);
    CHECK(utc_seconds("9999-12-31T23:59:59Z") == 253402300799);
}

TEST_CASE("utc time: any other text is none", "[utc_time]") {
    for (const std::string text :
         {"", "2026-11-20", "2026-11-20T19:31:07", "2026-11-20T19:31:07z", "2026-11-20 19:31:07Z",
          "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
          "2026-11-20T24:00:00Z", "2026-11-20T19:60:00Z", "2026-11-20T19:31:61Z",
          "-026-11-20T19:31:07Z", "2026-11-20T19:31:07Z "}) {
        CAPTURE(text);
        CHECK_FALSE(utc_seconds(text));
    }
}

}  // namespace rocenv::utc_time_test
