// SPDX-License-Identifier: MIT
#include "util/json_scalars.h"

#include "support/catch.h"

namespace rocenv::json_scalars_test {

TEST_CASE("json: kinds of scalars", "[json]") {
    std::string kinds;
    CHECK(for_each_scalar(R"(["a", 1, -0.5e+3, true, false, null])",
                          [&](std::string_view, std::string_view, JsonScalar kind) {
                              kinds += "tnb0"[static_cast<int>(kind)];
                          }));
    CHECK(kinds == "tnnbb0");
}

TEST_CASE("json: what is no number and a key twice are refused", "[json]") {
    const auto nobody = [](std::string_view, std::string_view, JsonScalar) {};
    for (const char* text :
         {"01", "1.", ".5", "+1", "--1", "1e", "1e+", "-", "1.2.3", "NaN", R"({"a":1,"a":2})",
          R"({"b":{"a":1,"c":2,"a":3}})", R"("\u_w1")", R"({"\x":1})"}) {
        CAPTURE(text);
        CHECK(!for_each_scalar(text, nobody));
    }
    for (const char* text :
         {"0", "-0", "0.5", "1e9", "1E-9", "10", R"({"a":{"a":1},"b":{"a":2}})"}) {
        CAPTURE(text);
        CHECK(for_each_scalar(text, nobody));
    }
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

}  // namespace rocenv::json_scalars_test
