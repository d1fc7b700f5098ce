// SPDX-License-Identifier: MIT
#include "json/writer.h"

#include <string>

#include "support/catch.h"

namespace json_writer_test {

namespace {

using namespace rocenv;

std::string one_text(std::string_view value) {
    JsonWriter json(JsonLayout::one_line);
    json.text("", value);
    return json.finish();
}

struct TextCase {
    std::string value;
    std::string json;
};

TEST_CASE("Texts are escaped as RFC 8259 wants", "[json_writer]") {
    const TextCase cases[] = {
        {"", R"("")"},
        {"plain /", R"("plain /")"},
        {"a\"b\\c", R"("a\"b\\c")"},
        {"l\n", R"("l\n")"},
        {"\t\r\b\f", R"("\u0009\u000d\u0008\u000c")"},
        {std::string("\0", 1), R"("\u0000")"},
        {"\x1b[0m\x7f", R"("\u001b[0m\u007f")"},
        {"a\u202eb\u2066\u061c\u0085\u2028", R"("a\u202eb\u2066\u061c\u0085\u2028")"},
        {"\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80\""}};
    for (const auto& item : cases) {
        CHECK(one_text(item.value) == item.json + "\n");
    }
}

TEST_CASE("Bytes that are not UTF-8 become U+FFFD, each its own", "[json_writer]") {
    const TextCase cases[] = {{"a\xff", R"("a\ufffd")"},
                              {"\x80\x80z", R"("\ufffd\ufffdz")"},
                              {"cut \xe2\x82", R"("cut \ufffd\ufffd")"},
                              {"\xc0\xaf", R"("\ufffd\ufffd")"},
                              {"\xc3\"", R"("\ufffd\"")"}};
    for (const auto& item : cases) {
        CHECK(one_text(item.value) == item.json + "\n");
    }
}

TEST_CASE("What a strict reader refuses as UTF-8 is not written", "[json_writer]") {
    for (const char* value :
         {"\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80"}) {
        const std::string json = one_text(value);
        CAPTURE(json);
        CHECK(json.find(value) == std::string::npos);
        CHECK(json.find("\\ufffd") != std::string::npos);
    }
}

std::string nested(JsonLayout layout) {
    JsonWriter json(layout);
    json.open_object();
    json.text("k\"", "v");
    json.open_array("list");
    json.text("", "a");
    json.open_object();
    json.integer("n", 18446744073709551615U);
    json.boolean("b", true);
    json.close_object();
    json.open_array();
    json.close_array();
    json.null("");
    json.close_array();
    json.open_object("empty");
    json.close_object();
    json.text_or_null("t", std::nullopt);
    json.text_or_null("u", "");
    json.integer_or_null("i", std::nullopt);
    json.integer_or_null("j", 0U);
    json.boolean("end", false);
    json.close_object();
    return json.finish();
}

TEST_CASE("Nested values on one line", "[json_writer]") {
    CHECK(nested(JsonLayout::one_line) ==
          R"({"k\"": "v", "list": ["a", {"n": 18446744073709551615, "b": true}, [], null], )"
          R"("empty": {}, "t": null, "u": "", "i": null, "j": 0, "end": false})"
          "\n");
}

TEST_CASE("Nested values, indented", "[json_writer]") {
    CHECK(nested(JsonLayout::indented) == R"({
  "k\"": "v",
  "list": [
    "a",
    {
      "n": 18446744073709551615,
      "b": true
    },
    [],
    null
  ],
  "empty": {},
  "t": null,
  "u": "",
  "i": null,
  "j": 0,
  "end": false
}
)");
}

// Without blanks and line ends between values.
std::string squeezed(const std::string& json) {
    std::string out;
    bool inside = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const bool escaped = at > 0 && json[at - 1] == '\\';
        inside = json[at] == '"' && !escaped ? !inside : inside;
        if (inside || (json[at] != ' ' && json[at] != '\n')) {
            out += json[at];
        }
    }
    return out;
}

TEST_CASE("Both layouts say the same", "[json_writer]") {
    CHECK(squeezed(nested(JsonLayout::one_line)) == squeezed(nested(JsonLayout::indented)));
}

TEST_CASE("One line is one line, whatever the texts hold", "[json_writer]") {
    JsonWriter json(JsonLayout::one_line);
    json.open_object();
    json.text("a\nb", "c\nd\r\n");
    json.close_object();
    const std::string text = json.finish();
    CHECK(text.find('\n') == text.size() - 1);
    CHECK(text.find('\r') == std::string::npos);
}

}  // namespace

}  // namespace json_writer_test
