// SPDX-License-Identifier: MIT
#include "util/errno_names.h"

#include <cstring>

#include "support/catch.h"

namespace errno_names_test {

using namespace rocenv;

TEST_CASE("Error numbers are named as the C library names them", "[util]") {
    for (int err = 1; err < 4096; ++err) {
        const char* const known = ::strerrorname_np(err);
        const char* const ours = errno_name(err);
        INFO(err);
        REQUIRE((known == nullptr) == (ours == nullptr));
        if (known != nullptr) {
            CHECK(std::string_view(ours) == known);
            CHECK(errno_by_name(known) == err);
        }
    }
    CHECK(!errno_by_name(""));
    CHECK(!errno_by_name("ENOEN"));
}

}  // namespace errno_names_test
