// SPDX-License-Identifier: MIT
#include "variables/shown_value.h"

#include "support/catch.h"

namespace rocenv::shown_value_test {

namespace {

TEST_CASE("Of addresses no password is shown", "[shown-value]") {
    CHECK(without_passwords("https://user:word@host/x") == "https://***@host/x");
    CHECK(without_passwords("redis://:word@host:1") == "redis://***@host:1");
    CHECK(without_passwords("a=http://u@h b=http://u:p@w@h?q") ==
          "a=http://***@h b=http://***@h?q");
    CHECK(without_passwords("https://host/a@b") == "https://host/a@b");
    CHECK(without_passwords("u:p@h") == "u:p@h");
    CHECK(without_passwords("://").size() == 3);
    CHECK(without_passwords("").empty());
}

}  // namespace

}  // namespace rocenv::shown_value_test
