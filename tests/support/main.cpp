// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_RUNNER  // version 2: the test runner is compiled here and only here
#include "support/catch.h"

// A name that no test case has is a failure, not an empty run: version 3 takes it so by itself.
int main(int argc, char* argv[]) {
    Catch::Session session;
#if !__has_include(<catch2/catch_all.hpp>)
    session.configData().warnings = Catch::WarnAbout::NoTests;
#endif
    return session.run(argc, argv);
}
