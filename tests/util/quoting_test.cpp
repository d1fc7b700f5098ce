// SPDX-License-Identifier: MIT
#include "util/quoting.h"

#include "support/catch.h"

using namespace rocenv;

TEST_CASE("A word of a shell's command line is quoted where it has to be", "[quoting]") {
    CHECK(shell_word("mi300x-benchmark") == "mi300x-benchmark");
    CHECK(shell_word("/tmp/nccl.%h.%p") == "/tmp/nccl.%h.%p");
    CHECK(shell_word("./a b.toml") == "'./a b.toml'");
    CHECK(shell_word("it's") == "'it'\\''s'");
    CHECK(shell_word("").size() == 2);
    CHECK(shell_word("$(x)") == "'$(x)'");
    CHECK(shell_word("~") == "'~'");
    CHECK(shell_word("two\nlines") == "'two\nlines'");
}

TEST_CASE("What a shell is to take as it is stands between single quotes", "[quoting]") {
    CHECK(shell_quoted("plain") == "'plain'");
    CHECK(shell_quoted("") == "''");
    CHECK(shell_quoted("'") == "''\\'''");
}
