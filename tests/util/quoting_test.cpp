// SPDX-License-Identifier: MIT
#include "util/text.h"

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

TEST_CASE("Escapes become bytes again, of letters only those that are named", "[quoting]") {
    CHECK(unescaped("a\\x20\\xfFb", "") ==
          "a \xff"
          "b");
    CHECK(unescaped("\\n\\t\\\\", "nt\\") == "\n\t\\");
    CHECK(unescaped("\\\\n", "\\") == "\\n");
    CHECK(unescaped("", "") == "");
    for (const auto* wrong : {"\\", "a\\", "\\x", "\\x4", "\\x4g", "\\x-1", "\\n", "\\\\n\\q"}) {
        INFO(wrong);
        CHECK_FALSE(unescaped(wrong, "\\"));
    }
}

TEST_CASE("Each byte comes back from its escape", "[quoting]") {
    for (int value = 0; value < 256; ++value) {
        const char byte = static_cast<char>(value);
        CHECK(unescaped(escaped_byte(byte), "") == std::string(1, byte));
    }
}
