// SPDX-License-Identifier: MIT
#define CATCH_CONFIG_RUNNER  // version 2: the test runner is compiled here and only here
#include "support/catch.h"

int main(int argc, char* argv[]) {
    return Catch::Session().run(argc, argv);
}
