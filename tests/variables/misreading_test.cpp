// SPDX-License-Identifier: MIT
// Intended meanings of texts, and the readers' values.
#include "variables/reading.h"

#include <string>
#include <vector>

#include "support/catch.h"

namespace rocenv::misreading_test {

namespace {

using Words = std::vector<std::string_view>;

struct Row {
    const char* parser;
    const char* type;
    const char* text;
    const char* sentence;  // "": read as meant
    const char* version = nullptr;
};

constexpr Row rows[] = {
    // Bools that know only 1.
    {"eq1", "bool", "1", ""},
    {"eq1", "bool", "0", ""},
    {"eq1", "bool", "", ""},
    {"eq1", "bool", "false", ""},
    {"eq1", "bool", "Off", ""},
    {"eq1", "bool", "true", R"(reads "true" as off; write 1 or 0)"},
    {"eq1", "bool", "YES", R"(reads "YES" as off; write 1 or 0)"},
    {"eq1", "bool", " 1", R"(reads " 1" as off; write 1 or 0)"},
    {"eq1", "bool", "1\n", R"(reads "1\x0a" as off; write 1 or 0)"},
    {"eq1", "bool", "2", R"(reads "2" as off; write 1 or 0)"},
    {"eq1", "bool", "maybe", R"(reads "maybe" as off; write 1 or 0)"},
    // Bools that know only 0, or only empty.
    {"ne0", "bool", "1", ""},
    {"ne0", "bool", "on", ""},
    {"ne0", "bool", "0", ""},
    {"ne0", "bool", "false", R"(reads "false" as on; write 1 or 0)"},
    {"ne0", "bool", "", "reads an empty text as on; write 1 or 0"},
    {"set-ne0", "bool", "disabled", R"(reads "disabled" as on; write 1 or 0)"},
    {"nonempty", "bool", "0", R"(reads "0" as on; write 1 or leave it empty)"},
    {"nonempty", "string", "0", R"(reads "0" as on; write 1 or leave it empty)"},
    {"nonempty", "string", "trace.json", ""},
    {"nonempty", "bool", "", ""},
    // Bools with three answers.
    {"01-else-default", "bool", "", ""},
    {"01-else-default", "bool", "true", R"(ignores "true"; write 1 or 0)"},
    {"01-else-default", "bool", "0", ""},
    {"c10-check", "bool", "off", R"(ignores "off"; write 1 or 0)"},
    {"cvar-bool", "bool", "on", R"(fails on "on"; write 1 or 0)"},
    {"cvar-bool", "bool", "", "fails on an empty text; write 1 or 0"},
    {"cvar-bool", "bool", "No", ""},
    {"miopen-bool", "bool", "enable", ""},
    {"miopen-bool", "bool", "y", R"(fails on "y"; write 1 or 0)", "6.4.1"},
    {"miopen-bool", "bool", "y", R"(ignores "y"; write 1 or 0)", "6.0"},
    {"miopen-bool", "bool", "y", ""},
    {"torch-config", "bool", "false", R"(reads "false" as on; write 1 or 0)", "2.7.0"},
    {"torch-config", "bool", "false", R"(ignores "false"; write 1 or 0)", "2.6.0"},
    {"torch-config", "bool", "false", ""},
    {"triton-bool", "bool", "yes", R"(reads "yes" as off; write 1 or 0)"},
    {"triton-bool", "bool", "ON", ""},
    {"triton-knob", "bool", "true", R"(reads "true" as off; write 1 or 0)", "3.2.0"},
    {"triton-knob", "bool", "true", "", "3.4.0"},
    {"py-lower-true1", "bool", "on", R"(reads "on" as off; write 1 or 0)"},
    {"py-int-bool", "bool", "True", R"(fails on "True"; write 1 or 0)"},
    {"py-int-bool", "bool", "2", R"(reads "2" as on; write 1 or 0)"},
    {"clr-bool", "bool", "yes", R"(reads "yes" as off; write 1 or 0)"},
    {"clr-bool", "bool", "True", R"(reads "True" as off; write 1 or 0)"},
    {"clr-bool", "bool", "true", ""},
    {"clr-bool", "bool", "", ""},
    // Bools that are numbers.
    {"nccl-int", "bool", "1", ""},
    {"nccl-int", "bool", "2", ""},
    {"nccl-int", "bool", "false", ""},
    {"nccl-int", "bool", "on", R"(reads "on" as off; write 1 or 0)"},
    {"nccl-int", "bool", "maybe", R"(reads "maybe" as 0; write 1 or 0)"},
    {"unverified", "bool", "1", ""},
    {"unverified", "bool", "yes", ""},
    // Numbers.
    {"clr-int", "int", "4", ""},
    {"clr-int", "int", " 4 ", ""},
    {"clr-int", "int", "010", ""},
    {"clr-int", "int", "0x10", R"(reads "0x10" as 0; write 16)"},
    {"clr-int", "int", "4GB", R"(reads "4GB" as 4; write a number in plain digits)"},
    {"clr-int", "int", "1e3", R"(reads "1e3" as 1; write 1000)"},
    {"clr-int", "int", "1_000", R"(reads "1_000" as 1; write 1000)"},
    {"clr-int", "int", "", "reads an empty text as 0; write a number in plain digits"},
    {"clr-int", "int", "4294967296", R"(reads "4294967296" as 0)"},
    {"clr-uint", "int", "4294967295", ""},
    {"clr-uint", "int", "-1", R"(reads "-1" as 4294967295)"},
    {"strtoull", "int", "0x10", ""},
    {"strtoull", "int", "010", R"(reads "010" as 8; write 10)"},
    {"strtoull", "int", "-1", R"(reads "-1" as 18446744073709551615)"},
    {"nccl-int", "int", "", ""},
    {"nccl-int", "int", "4M", R"(reads "4M" as 4; write a number in plain digits)"},
    {"nccl-int", "int", "99999999999999999999", R"(ignores "99999999999999999999")"},
    {"stoi", "int", "abc", R"(fails on "abc"; write a number in plain digits)"},
    {"stoi", "int", "600s", R"(reads "600s" as 600; write a number in plain digits)"},
    {"stoi", "int", "1.5", R"(reads "1.5" as 1; write a number in plain digits)"},
    {"py-int", "int", "1_000", ""},
    {"py-int", "int", "0x10", R"(fails on "0x10"; write 16)"},
    {"py-int", "int", "1e3", R"(fails on "1e3"; write 1000)"},
    {"py-int", "int", "-0", ""},
    // Texts and words.
    {"string", "path", "/tmp/x", ""},
    {"string", "bool", "yes", ""},
    {"comma-list", "list", "a,b", ""},
    {"triton-bool-or-name", "string", "0", ""},
    {"string-upper", "enum", "info", ""},
    {"present", "bool", "1", ""},
    {"present", "bool", "0", R"(reads "0" as on; write 1, or unset it to switch it off)"},
    {"first1", "bool", "true", R"(reads "true" as off; write 1 or 0)"},
    {"strtol-ne0", "bool", "on", R"(reads "on" as off; write 1 or 0)"},
    {"py-lower-true", "bool", "1", R"(reads "1" as off; write true or 0)"},
    {"sglang-bool", "bool", "on", R"(ignores "on"; write 1 or 0)"},
    {"py-float", "float", "1.50", ""},
    {"py-float", "float", "1e3", ""},
    {"py-float", "float", "10s", R"(fails on "10s")"},
    {"gfx-version", "string", "gfx942", R"(fails on "gfx942")"},
    {"hsakmt-level", "int", "9", R"(ignores "9")"},
    {"tunable-count", "int", "-5", R"(reads "-5" as 0)", "2.6.0"},
    {"stoi", "enum", "on", R"(fails on "on")"},
};

TEST_CASE("A text that is read as another thing than meant is told", "[misreading]") {
    for (const auto& row : rows) {
        const Parser* parser = find_parser(row.parser);
        REQUIRE(parser != nullptr);
        INFO(row.parser << " " << row.type << " '" << row.text << "'");
        ParserInput input{row.text, {}, {}};
        if (row.version != nullptr) {
            input.version = row.version;
        }
        CHECK(misreading(row.type, *parser, input).value_or("") == row.sentence);
    }
}

TEST_CASE("What to write among words are the words that the reader takes", "[misreading]") {
    const Parser& parser = *find_parser("miopen-enum");
    const Words modes = {"NORMAL", "FAST", "HYBRID", "9"};
    CHECK(misreading("enum", parser, {"quick", {}, modes}) ==
          R"(fails on "quick"; write NORMAL, FAST, HYBRID)");
    CHECK(misreading("enum", parser, {"9", {}, modes}) ==
          R"(ignores "9"; write NORMAL, FAST, HYBRID)");
    CHECK(misreading("enum", parser, {"fast", {}, modes}) == std::nullopt);
    CHECK(misreading("enum", parser, {"2", {}, modes}) == std::nullopt);
}

TEST_CASE("Long and wild texts are shown short and safe", "[misreading]") {
    const Parser& parser = *find_parser("eq1");
    const std::string text = "\x1b[31m" + std::string(5000, 'x');
    const auto sentence = misreading("bool", parser, {text, {}, {}});
    REQUIRE(sentence);
    CHECK(sentence->size() < 120);
    CHECK(sentence->find('\x1b') == std::string::npos);
}

TEST_CASE("The number that a person wrote", "[misreading]") {
    CHECK(written_number(" 42\n") == "42");
    CHECK(written_number("-007") == "-7");
    CHECK(written_number("+0") == "0");
    CHECK(written_number("-0x10") == "-16");
    CHECK(written_number("0XFF") == "255");
    CHECK(written_number("12E2") == "1200");
    CHECK(written_number("0e5") == "0");
    CHECK(written_number("1e+2") == "100");
    CHECK(written_number("99999999999999999999999") == "99999999999999999999999");
    for (const char* text : {"", "-", "0x", "0xg", "1e", "1e-3", "1e101", "e3", "1.5", "4GB", "_1",
                             "1__0", "--1", "0x1_0", "true"}) {
        INFO(text);
        CHECK(written_number(text) == std::nullopt);
    }
}

}  // namespace

}  // namespace rocenv::misreading_test
