// SPDX-License-Identifier: MIT
#include "util/credentials.h"

#include "support/catch.h"

namespace rocenv::credentials_test {

namespace {

TEST_CASE("credentials: no user and no password of an address is left") {
    CHECK(without_credentials("https://user:word@host/x") == "https://***@host/x");
    CHECK(without_credentials("//user:word@10.0.0.1:1") == "//***@10.0.0.1:1");
    CHECK(without_credentials("redis://:word@host:1") == "redis://***@host:1");
    CHECK(without_credentials("a=http://u@h b=http://u:p@w@h?q") ==
          "a=http://***@h b=http://***@h?q");
    CHECK(without_credentials("https://u:pa/ss?w#d@host/x") == "https://***@host/x");
    CHECK(without_credentials("\"https://u:p@h\",'//u:p@h'") == "\"https://***@h\",'//***@h'");
    CHECK(without_credentials("\"https://u:passw...\"") == "\"https://***...\"");
    CHECK(without_credentials("https://host/a...") == "https://host/a...");
    CHECK(without_credentials("https://host/a@b") == "https://host/a@b");
    CHECK(without_credentials("https://host:80/a@b") == "https://host:80/a@b");
    CHECK(without_credentials("u:p@h") == "u:p@h");
    CHECK(without_credentials("://").size() == 3);
    CHECK(without_credentials("").empty());
}

TEST_CASE("credentials: no value of a query is left") {
    CHECK(without_credentials("https://h/x?token=a&key=b#part") ==
          "https://h/x?token=***&key=***#part");
    CHECK(without_credentials("h/?a=1&amp;b=2 c=3") == "h/?a=***&amp;b=*** c=3");
    CHECK(without_credentials("https://h/#access_token=a") == "https://h/#access_token=***");
    CHECK(without_credentials("is it? a=b") == "is it? a=b");
    CHECK(without_credentials("https://u:p@h/?t=x") == "https://***@h/?t=***");
}

TEST_CASE("credentials: what is clean stays so") {
    const auto once = without_credentials("https://u:p@h/x?a=b&c=d /sys/devices/x#y");
    CHECK(without_credentials(once) == once);
}

}  // namespace

}  // namespace rocenv::credentials_test
