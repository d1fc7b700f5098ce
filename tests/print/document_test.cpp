// SPDX-License-Identifier: MIT
#include "print/document.h"

#include <string>
#include <vector>

#include "print/wrap.h"
#include "support/catch.h"
#include "util/text.h"

namespace document_test {

namespace {

using namespace rocenv;

std::string word(std::size_t size) {
    return std::string(size, 'w');
}

std::string wrapped(std::string_view first, std::size_t indent, std::string_view text) {
    return wrapped_to(80, first, indent, text);
}

TEST_CASE("A line of exactly 80 columns is not broken, of 81 it is", "[document]") {
    CHECK(wrapped("", 0, word(40) + " " + word(39)) == word(40) + " " + word(39) + "\n");
    CHECK(wrapped("", 0, word(40) + " " + word(40)) == word(40) + "\n" + word(40) + "\n");
    CHECK(wrapped("  ", 4, word(38) + " " + word(39)) == "  " + word(38) + " " + word(39) + "\n");
    CHECK(wrapped("  ", 4, word(38) + " " + word(40)) ==
          "  " + word(38) + "\n    " + word(40) + "\n");
}

TEST_CASE("The indent counts on every line that follows", "[document]") {
    const std::string text =
        wrapped("- ", 6, word(70) + " " + word(37) + " " + word(36) + " " + word(3));
    CHECK(text ==
          "- " + word(70) + "\n      " + word(37) + " " + word(36) + "\n      " + word(3) + "\n");
}

TEST_CASE("A word that is too long stays whole on a line of its own", "[document]") {
    CHECK(wrapped("", 2, "before " + word(200) + " after") ==
          "before\n  " + word(200) + "\n  after\n");
    CHECK(wrapped("", 2, word(200)) == word(200) + "\n");
}

TEST_CASE("Columns are what a terminal shows, not bytes", "[document]") {
    CHECK(columns_of("a\xc3\xbc") == 2);
    CHECK(columns_of("u\xcc\x88") == 1);                 // a combining mark
    CHECK(columns_of("\xe6\xbc\xa2\xe5\xad\x97") == 4);  // two Han characters
    CHECK(columns_of("\xef\xbc\xa1") == 2);              // a full-width A
    CHECK(columns_of("\xf0\x9f\x98\x80") == 2);          // an emoji
    CHECK(columns_of(toned("FAIL", Tone::fail, Colour::yes)) == 4);
    std::string umlauts;
    for (int at = 0; at < 40; ++at) {
        umlauts += "\xc3\xbc";
    }
    CHECK(wrapped("", 0, umlauts + " " + word(39)) == umlauts + " " + word(39) + "\n");
    CHECK(wrapped("", 0, umlauts + " " + word(40)) == umlauts + "\n" + word(40) + "\n");
}

TEST_CASE("Blanks and line ends between words are one blank", "[document]") {
    CHECK(wrapped("> ", 2, "  a\n\tb   c ") == "> a b c\n");
    CHECK(wrapped("> ", 2, "") == ">\n");
}

TEST_CASE("A text brings no styles and no line ends along", "[document]") {
    const std::string evil = "a\x1b[1mb\x1b[0m\x1b[31m";
    CHECK(wrapped("", 0, evil) == "a\\x1b[1mb\\x1b[0m\\x1b[31m\n");
    CHECK(toned(evil, Tone::heading, Colour::yes) == "\x1b[1ma\\x1b[1mb\\x1b[0m\\x1b[31m\x1b[0m");
    CHECK(wrapped("a\nb\r", 0, "c") == "a\\x0ab\\x0dc\n");
    CHECK(wrapped("", 2, "a\nb\u2028\u202e\x9b") == "a b\\xe2\\x80\\xa8\\xe2\\x80\\xae\\x9b\n");
}

// Everything that a document can hold.
Document all_kinds() {
    Document out;
    out.entry(Tone::fail, "FAIL", "gpu.count", "7 of 8 GPUs respond, which is one too few for it");
    out.field("detail", "The GPU at 0000:85:00.0 no longer responds to configuration reads.");
    out.field("here", Tone::warn, "WARN", ": 1, expected 0 (recommended by mi300x)");
    out.command("next", "sudo dmesg | grep -e amdgpu");
    out.under("A paragraph below the entry that is long enough for a second line at 80.");
    out.blank();
    out.heading("A heading");
    out.margin(2);
    out.paragraph("A paragraph at the margin that is long enough to be broken at 80 columns, too.");
    out.paragraph(Tone::pass, "PASS", "with a word in front");
    out.item("a term", "and its meaning, which goes on below itself if it is as long as this is");
    out.item("another", "of the same list");
    out.bullet("", "one of several");
    out.table({{"SETTING", "WAS", "NOW"},
               {"cpu.governor", "schedutil", "performance"},
               {"cpus", "0", "0-95,192-287,384-479,576-671,768-863,960-1055,1152-1247,1344-1439"}});
    out.matrix({{"links", "0", "1"}, {"0", "-", "X1:15"}, {"1", "X1:15", "-"}});
    return out;
}

TEST_CASE("A document fits any width from 40 to 200 and loses no word", "[document]") {
    const Document document = all_kinds();
    const std::string reference = document.text({Colour::no, 200});
    std::size_t letters = 0;
    for (const char each : reference) {
        letters += each != ' ' && each != '\n' ? 1 : 0;
    }
    for (std::size_t width = 40; width <= 200; ++width) {
        const std::string text = document.text({Colour::no, width});
        std::size_t found = 0;
        for (const char each : text) {
            found += each != ' ' && each != '\n' ? 1 : 0;
        }
        CHECK(found == letters);
        for (const auto line : split(text, '\n')) {
            INFO(width << ": " << line);
            CHECK((columns_of(line) <= width || line.find("dmesg") != line.npos));
        }
    }
}

TEST_CASE("Colour changes no blank and no line end", "[document]") {
    const Document document = all_kinds();
    for (const std::size_t width : {40U, 60U, 80U, 120U}) {
        std::string text = document.text({Colour::yes, width});
        for (auto at = text.find('\x1b'); at != text.npos; at = text.find('\x1b')) {
            text.erase(at, text.find('m', at) + 1 - at);
        }
        CHECK(text == document.text({Colour::no, width}));
    }
}

TEST_CASE("A narrow terminal gets 40 columns, a wide one paragraphs of 120", "[document]") {
    Document out;
    std::string text;
    for (int at = 0; at < 60; ++at) {
        text += "word ";
    }
    out.paragraph(text);
    CHECK(out.text({Colour::no, 10}) == out.text({Colour::no, 40}));
    CHECK(out.text({Colour::no, 300}) == out.text({Colour::no, 120}));
    const std::string wide = out.text({Colour::no, 120});
    CHECK(split(wide, '\n').front().size() == 119);
}

TEST_CASE("Columns of a table align with wide characters", "[document]") {
    Document out;
    out.table({{"name", "value"}, {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", "1"}, {"ascii", "2"}});
    CHECK(out.text(Colour::no) ==
          "name    value\n\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2  1\nascii   2\n");
}

TEST_CASE("Numbers stand at the right of their columns", "[document]") {
    Document out;
    out.table({{"operator", "results", "ms"}, {"Gemm", "1200", "0.5"}, {"G", "7", "12.5"}},
              Numbers::right);
    CHECK(out.text(Colour::no) ==
          "operator  results    ms\n"
          "Gemm         1200   0.5\n"
          "G               7  12.5\n");
}

TEST_CASE("Columns that do not fit go on the next line, of every row", "[document]") {
    Document out;
    out.table({{"GPU", "address", "kind", "CPUs"},
               {"0", "0000:05:00.0", word(18), "0-15"},
               {"1", "0000:09:00.0", "w", "16-31"},
               {"-", "0000:0a:00.0", "w", ""}});
    CHECK(out.text({Colour::no, 40}) ==
          "GPU  address       kind\n    CPUs\n"
          "0    0000:05:00.0  " +
              word(18) +
              "\n    0-15\n"
              "1    0000:09:00.0  w\n    16-31\n"
              "-    0000:0a:00.0  w\n");
}

TEST_CASE("A cell that is too wide moves the rest of its row, not the columns", "[document]") {
    Document out;
    out.table({{"id", "x", "y"}, {"a", word(50), "z"}, {"bb", "1", "2"}});
    CHECK(out.text(Colour::no) == "id  x  y\na   " + word(50) + "\n       z\nbb  1  2\n");
}

TEST_CASE("Two values that are both too wide stand below each other", "[document]") {
    Document out;
    std::string many;
    for (int at = 0; at < 12; ++at) {
        many += "value" + number(at) + (at < 11 ? ", " : "");
    }
    out.table({{"id", "0", "-> 1"}, {"long", many, "-> " + many}});
    CHECK(out.text({Colour::no, 60}) ==
          "id    0  -> 1\n"
          "long  value0, value1, value2, value3, value4, value5,\n"
          "      value6, value7, value8, value9, value10, value11\n"
          "      -> value0, value1, value2, value3, value4, value5,\n"
          "      value6, value7, value8, value9, value10, value11\n");
}

TEST_CASE("The meanings of a list share a column, long terms have their own line", "[document]") {
    Document out;
    out.item("-q", "quiet");
    out.item("--a-very-long-option-with-its-value VALUE", "long");
    out.item("-v, --verbose", "more");
    out.item("", "and more");
    CHECK(out.text(Colour::no) ==
          "-q             quiet\n"
          "--a-very-long-option-with-its-value VALUE\n"
          "               long\n"
          "-v, --verbose  more\n"
          "               and more\n");
}

TEST_CASE("A title carries a comma, a colon or a blank", "[document]") {
    Document out;
    out.title("gpu.count", ", a setting");
    out.title("mi300x", "(built-in)");
    out.under("below");
    CHECK(out.text(Colour::no) == "gpu.count, a setting\nmi300x (built-in)\n  below\n");
}

TEST_CASE("A list of hosts is broken between hosts, and in a range that is too wide",
          "[document]") {
    Document out;
    out.margin(2, 4);
    out.names("3 new:", "gpu[001-312],gpu[400,402,404],login1", uncut);
    out.names("", "gpu[" + word(20) + ",2," + word(20) + "]", uncut);
    out.names("1 gone:", word(30) + "," + word(30) + ",c,d", 1);
    CHECK(out.text(Colour::no) == "  3 new: gpu[001-312],gpu[400,402,404],login1\n  gpu[" +
                                      word(20) + ",2," + word(20) + "]\n  1 gone: " + word(30) +
                                      "," + word(30) + ",c,d\n");
    CHECK(out.text({Colour::no, 40}) ==
          "  3 new: gpu[001-312],gpu[400,402,404],\n      login1\n  gpu[" + word(20) +
              ",2,\n      " + word(20) + "]\n  1 gone:\n" + "      and 4 more (-v)\n");
    CHECK(out.text({Colour::no, 42})
              .ends_with("  1 gone: " + word(30) + ",\n      and 3 more (-v)\n"));
}

TEST_CASE("The lines of a paragraph hang, and each line of a heading has its tone", "[document]") {
    Document out;
    out.margin(1, 2);
    out.paragraph(word(30) + " " + word(30));
    out.heading(word(30) + " " + word(30), Tone::fail);
    const std::string start(style_code::fail);
    const std::string end(style_code::end);
    CHECK(out.text({Colour::yes, 40}) == " " + word(30) + "\n   " + word(30) + "\n " + start +
                                             word(30) + end + "\n   " + start + word(30) + end +
                                             "\n");
}

}  // namespace

}  // namespace document_test
