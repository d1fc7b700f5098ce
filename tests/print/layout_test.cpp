// SPDX-License-Identifier: MIT
#include "print/layout.h"

#include <string>
#include <vector>

#include "support/catch.h"
#include "util/text.h"

namespace layout_test {

namespace {

using namespace rocenv;

std::string word(std::size_t size) {
    return std::string(size, 'w');
}

TEST_CASE("A line of exactly 80 columns is not broken, of 81 it is", "[layout]") {
    CHECK(wrapped("", 0, word(40) + " " + word(39)) == word(40) + " " + word(39) + "\n");
    CHECK(wrapped("", 0, word(40) + " " + word(40)) == word(40) + "\n" + word(40) + "\n");
    CHECK(wrapped("  ", 4, word(38) + " " + word(39)) == "  " + word(38) + " " + word(39) + "\n");
    CHECK(wrapped("  ", 4, word(38) + " " + word(40)) ==
          "  " + word(38) + "\n    " + word(40) + "\n");
}

TEST_CASE("The indent counts on every line that follows", "[layout]") {
    const std::string text =
        wrapped("- ", 6, word(70) + " " + word(37) + " " + word(36) + " " + word(3));
    CHECK(text ==
          "- " + word(70) + "\n      " + word(37) + " " + word(36) + "\n      " + word(3) + "\n");
}

TEST_CASE("A word that is too long stays whole on a line of its own", "[layout]") {
    CHECK(wrapped("", 2, "before " + word(200) + " after") ==
          "before\n  " + word(200) + "\n  after\n");
    CHECK(wrapped("", 2, word(200)) == word(200) + "\n");
}

TEST_CASE("Columns are characters, not bytes", "[layout]") {
    std::string umlauts;
    for (int at = 0; at < 40; ++at) {
        umlauts += "\xc3\xbc";
    }
    CHECK(wrapped("", 0, umlauts + " " + word(39)) == umlauts + " " + word(39) + "\n");
    CHECK(wrapped("", 0, umlauts + " " + word(40)) == umlauts + "\n" + word(40) + "\n");
}

TEST_CASE("Blanks and line ends between words are one blank", "[layout]") {
    CHECK(wrapped("> ", 2, "  a\n\tb   c ") == "> a b c\n");
    CHECK(wrapped("> ", 2, "") == "> \n");
}

TEST_CASE("No text of short words is wider than the terminal, and no word is lost", "[layout]") {
    for (std::size_t seed = 1; seed < 40; ++seed) {
        std::string text;
        for (std::size_t at = 0; at < 60; ++at) {
            text += word(1 + at * seed % 17) + " ";
        }
        const std::string out = wrapped("  first: ", seed % 12, text);
        for (const auto line : split(out, '\n')) {
            CHECK(line.size() <= terminal_width);
        }
        CHECK(words(out).size() == 61);
        CHECK(out.back() == '\n');
    }
}

TEST_CASE("Styles are escape sequences around the text or nothing at all", "[layout]") {
    for (const auto style : {Style::heading, Style::attention, Style::unsure}) {
        CHECK(styled("text", style, Colour::no) == "text");
        const std::string coloured = styled("text", style, Colour::yes);
        CHECK(coloured.starts_with("\x1b["));
        CHECK(coloured.ends_with("mtext\x1b[0m"));
    }
}

TEST_CASE("A text brings no styles and no line ends along", "[layout]") {
    const std::string evil = "a\x1b[1mb\x1b[0m\x1b[31m";
    CHECK(wrapped("", 0, evil) == "a\\x1b[1mb\\x1b[0m\\x1b[31m\n");
    CHECK(styled(evil, Style::heading, Colour::yes) == "\x1b[1ma\\x1b[1mb\\x1b[0m\\x1b[31m\x1b[0m");
    CHECK(wrapped("a\nb\r", 0, "c") == "a\\x0ab\\x0dc\n");
    CHECK(wrapped("", 2, "a\nb\u2028\u202e\x9b") == "a b\\xe2\\x80\\xa8\\xe2\\x80\\xae\\x9b\n");
}

TEST_CASE("Colour does not change where lines break", "[layout]") {
    const std::string text = word(40) + " " + word(33);
    CHECK(wrapped(styled("head", Style::attention, Colour::no) + " ", 2, text) ==
          "head " + word(40) + " " + word(33) + "\n");
    CHECK(wrapped(styled("head", Style::attention, Colour::yes) + " ", 2, text) ==
          styled("head", Style::attention, Colour::yes) + " " + word(40) + " " + word(33) + "\n");
}

TEST_CASE("One thing, several things", "[layout]") {
    CHECK(counted(0, "setting") == "0 settings");
    CHECK(counted(1, "setting") == "1 setting");
    CHECK(counted(2, "setting") == "2 settings");
}

}  // namespace

}  // namespace layout_test
