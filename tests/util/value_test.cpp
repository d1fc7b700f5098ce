// SPDX-License-Identifier: MIT
#include "rocenv/value.h"

#include <limits>
#include <string>
#include <vector>

#include "support/catch.h"

namespace value_test {

namespace {

using namespace rocenv;

Value number_value(std::int64_t value) {
    return {value, {"p.toml", 7, 3}};
}

Value text_value(std::string value, std::uint32_t line = 7) {
    return {std::move(value), {"p.toml", line, 3}};
}

Value flag(bool value) {
    return {value, {"p.toml", 7, 3}};
}

Value list_value(ValueList values) {
    return {std::move(values), {"p.toml", 7, 3}};
}

Value table_value(ValueTable fields) {
    return {std::move(fields), {"p.toml", 7, 3}};
}

Form plain(FormKind kind) {
    return {.kind = kind};
}

const Form small{.kind = FormKind::integer, .lowest = 0, .highest = 3};
const Form mode{.kind = FormKind::word, .words = {"recommended", "off", "on"}};
const Form idle{.kind = FormKind::table,
                .fields = {{"max_latency_us", small, false}, {"state", mode, true}}};

struct FormCase {
    Form form;
    std::vector<Value> taken;
    std::vector<Value> refused;
    std::string expected;
};

std::vector<FormCase> number_cases() {
    return {{small,
             {number_value(0), number_value(3)},
             {number_value(-1), number_value(4), text_value("1"), flag(true), {1.0, {}}},
             "a whole number from 0 to 3"},
            {plain(FormKind::at_least),
             {number_value(0), text_value(">=6.2"), text_value("6.2"), text_value(">= 6"),
              text_value(">=1.2.3-4")},
             {number_value(-1), text_value(""), text_value(">6"), text_value(">="),
              text_value(">=new"), flag(true)},
             "a number or \">=NUMBER\""},
            {plain(FormKind::size_limit),
             {number_value(0), number_value(INT64_MAX), text_value("unlimited")},
             {number_value(-1), text_value("Unlimited"), text_value("64"), list_value({})},
             "a number (a minimum) or \"unlimited\""},
            {plain(FormKind::boolean),
             {flag(true), flag(false)},
             {number_value(1), text_value("true")},
             "true or false"}};
}

std::vector<FormCase> text_cases() {
    return {{mode,
             {text_value("off"), text_value("on")},
             {text_value("of"), text_value(""), text_value("OFF"), number_value(0)},
             "\"recommended\", \"off\" or \"on\""},
            {plain(FormKind::any_word),
             {text_value("schedutil"), text_value("a-b_c")},
             {text_value(""), text_value("two words"), text_value(" padded"), text_value("a\n"),
              text_value("\x1b"), text_value("\xc3\xbc"), flag(true)},
             "a word"},
            {plain(FormKind::any_text),
             {text_value(""), text_value("two words")},
             {number_value(1), flag(false), table_value({})},
             "text"},
            {plain(FormKind::link_rate),
             {text_value("32.0 GT/s x16"), text_value("2.5 GT/s x1")},
             {text_value("32 GT/s x16"), text_value("32.0 GT/s"), text_value("32.0 GT/s x"),
              text_value("32.0  GT/s x16"), text_value("1000.0 GT/s x16"),
              text_value("32.05 GT/s x16"), text_value("0.0 GT/s x16"),
              text_value("032.0 GT/s x16"), text_value("32.0 GT/s x0"), text_value("32.0 GT/s x64"),
              text_value("32.0 GT/s x16 "), text_value(""), number_value(32)},
             "a speed and width as \"32.0 GT/s x16\""},
            {plain(FormKind::text_list),
             {list_value({}), list_value({text_value("iommu=pt"), text_value("a b")})},
             {text_value("iommu=pt"), list_value({number_value(1)}), list_value({text_value(" ")}),
              list_value({list_value({})})},
             "a list of texts"},
            {idle,
             {table_value({{"max_latency_us", number_value(1)}})},
             {number_value(1), text_value("off"), list_value({})},
             "{ max_latency_us = a whole number from 0 to 3, state = \"recommended\", \"off\" or "
             "\"on\" (optional) }"}};
}

void check_case(const FormCase& item) {
    const std::vector<Form> forms{item.form};
    for (const auto& value : item.taken) {
        CAPTURE(item.expected, toml_text(value));
        CHECK_FALSE(check_form(value, forms));
    }
    for (const auto& value : item.refused) {
        CAPTURE(item.expected, toml_text(value));
        const auto error = check_form(value, forms);
        REQUIRE(error);
        CHECK(error->text.find(", expected " + item.expected) != std::string::npos);
        CHECK(error->place.line == value.place.line);
    }
    CHECK(forms_text(forms) == item.expected);
}

TEST_CASE("Forms of numbers take and refuse, and say what they want", "[value]") {
    for (const auto& item : number_cases()) {
        check_case(item);
    }
}

TEST_CASE("Forms of texts take and refuse, and say what they want", "[value]") {
    for (const auto& item : text_cases()) {
        check_case(item);
    }
}

TEST_CASE("One of several forms is enough and all are named otherwise", "[value]") {
    const std::vector<Form> forms{mode, small, idle};
    CHECK_FALSE(check_form(text_value("off"), forms));
    CHECK_FALSE(check_form(number_value(2), forms));
    const auto error = check_form(number_value(9), forms);
    REQUIRE(error);
    CHECK(
        error->text.starts_with("found 9, expected \"recommended\", \"off\" or \"on\" or a whole"));
    CHECK(place_text(error->place) == "p.toml:7:3");
}

TEST_CASE("What was found is shown short and safe", "[value]") {
    const auto error =
        check_form(text_value(std::string(500, 'x') + "\x1b[2J"), std::span(&small, 1));
    REQUIRE(error);
    CHECK(error->text.size() < 120);
    const auto escape = check_form(text_value("\x1b[2J"), std::span(&small, 1));
    REQUIRE(escape);
    CHECK(escape->text.find('\x1b') == std::string::npos);
}

std::optional<FormError> check_idle(ValueTable fields) {
    return check_form(table_value(std::move(fields)), std::span(&idle, 1));
}

TEST_CASE("An error in a table is told where it stands", "[value]") {
    const auto error =
        check_idle({{"max_latency_us", number_value(1)}, {"state", text_value("offf", 9)}});
    REQUIRE(error);
    CHECK(error->place.line == 9);
    CHECK(error->text == "state: found \"offf\", expected \"recommended\", \"off\" or \"on\"");
}

TEST_CASE("A missing field is told with the whole form, at the table", "[value]") {
    const auto error = check_idle({{"state", text_value("off", 9)}});
    REQUIRE(error);
    CHECK(error->place.line == 7);
    CHECK(error->text.starts_with("max_latency_us is missing, expected { max_latency_us = "));
}

TEST_CASE("An unknown key is told where it stands, with the nearest known one", "[value]") {
    const auto error =
        check_idle({{"max_latency_us", number_value(1)}, {"stat", text_value("off", 9)}});
    REQUIRE(error);
    CHECK(error->place.line == 9);
    CHECK(error->text == "unknown key 'stat'. Did you mean 'state'?");
    const auto far =
        check_idle({{"max_latency_us", number_value(1)}, {"zzzzzzzz", text_value("off", 9)}});
    REQUIRE(far);
    CHECK(far->text == "unknown key 'zzzzzzzz', expected max_latency_us, state");
}

TEST_CASE("An error deep inside tables keeps its place and names the way", "[value]") {
    const Form outer{.kind = FormKind::table, .fields = {{"deep", idle, false}}};
    Value inner = table_value({{"max_latency_us", text_value("much", 42)}});
    const auto error = check_form(table_value({{"deep", inner}}), std::span(&outer, 1));
    REQUIRE(error);
    CHECK(error->place.line == 42);
    CHECK(error->text ==
          "deep: max_latency_us: found \"much\", expected a whole number from 0 to 3");
}

struct TomlCase {
    Value value;
    const char* text;
};

TEST_CASE("Values are written as TOML writes them", "[value]") {
    const TomlCase cases[] = {
        {flag(true), "true"},
        {number_value(INT64_MIN), "-9223372036854775808"},
        {text_value("a\"b\\c"), R"("a\"b\\c")"},
        {text_value("l\n\x7f"), R"("l\u000a\u007f")"},
        {{0.5, {}}, "0.5"},
        {list_value({number_value(1), text_value("x")}), R"([1, "x"])"},
        {list_value({}), "[]"},
        {table_value({{"b", number_value(2)}, {"a", flag(false)}}), "{ a = false, b = 2 }"},
        {table_value({{"a.b", flag(true)}, {"", flag(true)}}), R"({ "" = true, "a.b" = true })"}};
    for (const auto& item : cases) {
        CHECK(toml_text(item.value) == item.text);
    }
}

TEST_CASE("A text with more dots than names may be joined by is written so that it can be read") {
    const std::string most(100, '.');
    CHECK(toml_text({most, {}}) == "\"" + most + "\"");
    CHECK(toml_text({most + "a.", {}}) == "\"" + most + "a\\u002e\"");
}

TEST_CASE("A place without a line is its file", "[value]") {
    CHECK(place_text({"--want", 0, 0}) == "--want");
    CHECK(place_text({"a.toml", 3, 1}) == "a.toml:3:1");
}

TEST_CASE("A text field of a table, or nothing", "[value]") {
    const Value table = table_value({{"why", text_value("because")}, {"n", number_value(1)}});
    CHECK(table.field("why") == "because");
    CHECK(table.field("n").empty());
    CHECK(table.field("other").empty());
    CHECK(number_value(1).field("why").empty());
}

}  // namespace

}  // namespace value_test
