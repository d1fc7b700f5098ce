// SPDX-License-Identifier: MIT
#include "variables/environment.h"

#include "support/catch.h"

namespace rocenv::shown_value_test {

namespace {

TEST_CASE("A secret is known by the catalogue, or by the end of its name", "[shown-value]") {
    CHECK(is_secret_name("HF_TOKEN"));
    CHECK(is_secret_name("SITE_API_KEY"));
    CHECK(is_secret_name("SITE_ACCESS_KEY_ID"));
    CHECK(is_secret_name("SITE_PRIVATE_KEY"));
    CHECK(is_secret_name("site_password"));
    CHECK(is_secret_name("DB_PASS"));
    CHECK(is_secret_name("PASSWORD"));
    CHECK_FALSE(is_secret_name("SITE_TOKENS"));
    CHECK_FALSE(is_secret_name("HIP_FORCE_DEV_KERNARG"));
    CHECK_FALSE(is_secret_name("MONKEY"));
}

}  // namespace

}  // namespace rocenv::shown_value_test
