// SPDX-License-Identifier: MIT
#include "json/cursor.h"

#include "support/catch.h"

namespace rocenv::cursor_test {

namespace {

// Returns whether a text is one value of JSON.
bool is_json(std::string_view text) {
    JsonCursor json(text);
    return json.skip() && json.at_end();
}

}  // namespace

TEST_CASE("json: numbers", "[json]") {
    for (const char* text : {"01", "1.", ".5", "+1", "--1", "1e", "1e+", "-", "1.2.3", "NaN"}) {
        CAPTURE(text);
        CHECK(!is_json(text));
    }
    for (const char* text : {"0", "-0", "0.5", "1e9", "1E-9", "10", "-0.5e+3"}) {
        CAPTURE(text);
        CHECK(is_json(text));
    }
}

TEST_CASE("json: a text is whole, or none", "[json]") {
    const std::string whole = R"( {"a": 1, "b": {"c": "x\"y"}, "d": [true, [null]], "e": {}} )";
    const auto end = whole.rfind('}');
    CHECK(is_json(whole));
    for (std::size_t size = 0; size <= end; ++size) {
        CAPTURE(size);
        JsonCursor cut(std::string_view(whole).substr(0, size));
        CHECK(!cut.skip());
        CHECK(cut.ran_out());
    }
    for (const char* text : {"{\"a\":1,}", "{\"a\":1}}", "[1,]", "{a:1}", "{\"a\":\"\n\"}", "1 2",
                             "{\"a\" 1}", "nul1"}) {
        CAPTURE(text);
        CHECK(!is_json(text));
    }
    CHECK(!is_json(std::string(100000, '[')));
}

TEST_CASE("json: escapes", "[json]") {
    CHECK(json_text("plain") == "plain");
    CHECK(json_text(R"(\"\\\/\b\f\n\r\t)") == "\"\\/\b\f\n\r\t");
    CHECK(json_text(R"(\u0041\u00e9\u20AC\ud83d\ude00)") ==
          "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    for (const char* text : {"\\", "\\x", "\\u", "\\u12", "\\u12g4", "\\ud800", "\\udc00",
                             "\\ud800x", "\\ud800\\u0041"}) {
        CAPTURE(text);
        CHECK(!json_text(text));
    }
}

}  // namespace rocenv::cursor_test
