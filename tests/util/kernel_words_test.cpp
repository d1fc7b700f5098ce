// SPDX-License-Identifier: MIT
// Expected answers are those of next_arg() (linux lib/cmdline.c, 6.12).
#include "os/redact/redact_words.h"

#include "support/catch.h"

namespace rocenv::kernel_words_test {

namespace {

// Each word in brackets.
std::string parsed(std::string_view line) {
    const auto words = kernel_words(line);
    if (!words) {
        return "no text";
    }
    std::string out;
    for (const auto& word : *words) {
        out += "[" + word.name + (word.has_value ? "=" + word.value : "") + "]";
    }
    return out;
}

TEST_CASE("kernel words: blanks in quotes belong to the word") {
    CHECK(parsed("a b=c\n") == "[a][b=c]");
    CHECK(parsed("dyndbg=\"file foo.c +p; secret=x\" ro") ==
          "[dyndbg=file foo.c +p; secret=x][ro]");
    CHECK(parsed("foo=\"a b\"") == "[foo=a b]");
    CHECK(parsed("\"foo=a b\" x") == "[foo=a b][x]");
    CHECK(parsed("\"a b\" x") == "[a b][x]");
    CHECK(parsed("foo=a\"b c\"d x") == "[foo=a\"b c\"d][x]");
    CHECK(parsed("foo=\"a b") == "[foo=a b]");
    CHECK(parsed("foo=\"\" x=\"") == "[foo=][x=]");
    CHECK(parsed("foo= =bar =a=b") == "[foo=][=bar][=a=b]");
}

TEST_CASE("kernel words: what is behind -- is for init") {
    CHECK(parsed("a -- b=c") == "[a]");
    CHECK(parsed("a \"--\" b") == "[a]");
    CHECK(parsed("a --x --=y -- b") == "[a][--x][--=y]");
    CHECK(parsed("a=\"-- b\" c") == "[a=-- b][c]");
}

TEST_CASE("kernel words: blanks are those of the kernel") {
    CHECK(parsed("  a \t\n b\xa0"
                 "c  ") == "[a][b][c]");
    CHECK(parsed("").empty());
    CHECK(parsed("a\x1b b") == "no text");
    CHECK(parsed(std::string_view("a\0b", 3)) == "no text");
    CHECK(parsed(std::string_view("a b\n\0\0", 6)) == "[a][b]");
}

}  // namespace

}  // namespace rocenv::kernel_words_test
