// SPDX-License-Identifier: MIT
// One description writes, reads and makes the schema.
#include "json/describe.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "json/in.h"
#include "json/out.h"
#include "json/schema.h"
#include "support/catch.h"

namespace rocenv::described_test {

enum class Colour { red, blue };
enum class Loud { no, yes };
struct Wheel {
    std::string name;
    std::uint64_t spokes = 0;
};
struct Cart {
    std::string owner;
    std::optional<std::string> plate;
    std::string nick;
    Colour colour = Colour::red;
    Loud loud = Loud::no;
    std::vector<Wheel> wheels;
    std::map<std::string, std::uint64_t> loads;
    std::optional<Wheel> spare;
};

}  // namespace rocenv::described_test

namespace rocenv {

template <>
struct EnumWords<described_test::Colour> {
    using Colour = described_test::Colour;
    static constexpr EnumWord<Colour> all[] = {{Colour::red, "red"}, {Colour::blue, "blue"}};
};
template <>
struct WordOfOtherVersion<described_test::Colour> {
    static constexpr auto counts_as = described_test::Colour::blue;
};
template <>
struct Described<described_test::Wheel> {
    using Wheel = described_test::Wheel;
    static void members(auto& at) {
        at.needed("name", &Wheel::name, {.filled = true});
        at.member("spokes", &Wheel::spokes, {.at_least = 3, .at_most = 99});
    }
};
template <>
struct Described<described_test::Cart> {
    using Cart = described_test::Cart;
    static void members(auto& at) {
        at.constant("schema", "cart/1");
        at.needed("owner", &Cart::owner);
        at.member("plate", &Cart::plate);
        at.or_null("nick", &Cart::nick, {.pattern = "^[a-z]+$"});
        at.member("colour", &Cart::colour);
        at.maybe("loud", &Cart::loud);
        at.member("wheels", &Cart::wheels);
        at.maybe("loads", &Cart::loads);
        at.maybe("spare", &Cart::spare);
        at.member("count", [](const Cart& cart) { return cart.wheels.size(); });
    }
    static void strange(Cart& cart, std::string_view word) { cart.nick += word; }
};

}  // namespace rocenv

namespace rocenv::described_test {

namespace {

// Reads a text and returns how the reading ended.
std::string read(std::string_view text, Cart& into) {
    JsonReading reading(text);
    const bool whole = read_json(reading, into);
    return whole                      ? "whole"
           : reading.json.ran_out()   ? "cut off in " + reading.part
           : !reading.missing.empty() ? "lacks " + reading.missing
           : !reading.other.empty()   ? "is " + reading.other
                                      : "garbled in " + reading.part;
}

std::string read(std::string_view text) {
    Cart cart;
    return read(text, cart);
}

const Cart full{"Ann",        "X 1",
                "bee",        Colour::blue,
                Loud::yes,    {{"left", 8}, {"right", 9}},
                {{"hay", 3}}, Wheel{"spare", 10}};

}  // namespace

TEST_CASE("described: what is written reads back the same", "[json]") {
    const std::string text = json_text_of(full, NoContext{}, JsonLayout::one_line);
    CHECK(text == R"({"schema": "cart/1", "owner": "Ann", "plate": "X 1", "nick": "bee", )"
                  R"("colour": "blue", "loud": true, "wheels": [{"name": "left", "spokes": 8}, )"
                  R"({"name": "right", "spokes": 9}], "loads": {"hay": 3}, )"
                  R"("spare": {"name": "spare", "spokes": 10}, "count": 2})"
                  "\n");
    Cart again;
    CHECK(read(text, again) == "whole");
    CHECK(json_text_of(again, NoContext{}, JsonLayout::one_line) == text);
    // Earlier contents do not stay.
    CHECK(json_text_of(Cart(), NoContext{}, JsonLayout::one_line) ==
          R"({"schema": "cart/1", "owner": "", "plate": null, "nick": null, "colour": "red", )"
          R"("wheels": [], "count": 0})"
          "\n");
    CHECK(read(R"({"schema": "cart/1", "owner": "Bob"})", again) == "whole");
    CHECK(again.wheels.empty());
    CHECK(again.loads.empty());
    CHECK(!again.spare);
    CHECK(!again.plate);
    CHECK(again.nick.empty());
    CHECK(again.loud == Loud::no);
    CHECK(again.colour == Colour::red);
}

TEST_CASE("described: what is no such text says so", "[json]") {
    const std::string text = json_text_of(full);
    for (std::size_t size = 1; size + 2 < text.size(); ++size) {
        CAPTURE(size);
        CHECK(read(text.substr(0, size)).starts_with("cut off"));
    }
    CHECK(read(R"({"schema": "cart/1"})") == "lacks owner");
    CHECK(read(R"({"schema": "cart/2", "owner": "a"})") == "is cart/2");
    CHECK(read(R"({"owner": "a", "owner": "a"})") == "garbled in owner");
    CHECK(read(R"({"owner": 1, "x": 1})") == "garbled in owner");
    CHECK(read(R"({"owner": "a", "wheels": [{"spokes": 3}], "x": 1})") == "garbled in wheels");
    CHECK(read(R"({"owner": "a", "wheels": [{"name": "a", "name": "b"}]})") == "garbled in wheels");
    CHECK(read(R"({"owner": "a", "wheels": [{"name": "a", "spokes": -1}]})") ==
          "garbled in wheels");
    CHECK(read(R"({"owner": "a", "wheels": [{"name": "a", "spokes": 100}]})") ==
          "garbled in wheels");
    CHECK(read(R"({"owner": "a", "loads": {"a": "b"}, "x": 1})") == "garbled in loads");
    CHECK(read(R"({"owner": "a", "loads": {"a": 1, "a": 1}, "x": 1})") == "garbled in loads");
    CHECK(read(R"({"owner": "a", "loads": {"a": 01}, "x": 1})") == "garbled in loads");
    CHECK(read(R"({"owner": "a", "plate": 5, "x": 1})") == "garbled in plate");
    CHECK(read(R"({"owner": "a", "later": {"any": [1, {}]}})") == "whole");
}

TEST_CASE("described: a word of another version", "[json]") {
    Cart cart;
    CHECK(read(R"({"owner": "a", "colour": "green"})", cart) == "whole");
    CHECK(cart.colour == Colour::blue);
    CHECK(cart.nick == "colour green");
    CHECK(read(R"({"owner": "a", "colour": "A word, with signs"})", cart) == "whole");
    CHECK(cart.nick == "colour (no word)");
}

TEST_CASE("described: members that are not wanted are passed over", "[json]") {
    JsonReading reading(R"({"owner": "a", "loads": {"a": 1, "b": 2}, "spare": {"name": "s"}})");
    reading.wants = [](std::string_view member, std::string_view key) {
        return member != "spare" && key != "a";
    };
    Cart cart;
    CHECK(read_json(reading, cart));
    CHECK(cart.loads == std::map<std::string, std::uint64_t>{{"b", 2}});
    CHECK(!cart.spare);
}

TEST_CASE("described: the schema has the same members", "[json]") {
    const std::string schema = json_schema_of<Cart>("A cart");
    for (const char* part : {R"("const": "cart/1")", R"("pattern": "^[a-z]+$")", R"("minimum": 3)",
                             R"("minLength": 1)", R"("additionalProperties": false)"}) {
        CAPTURE(part);
        CHECK(schema.find(part) != schema.npos);
    }
    const auto at = schema.rfind("\"required\"");
    const std::string required = schema.substr(at);
    for (const char* name : {"schema", "owner", "plate", "nick", "colour", "wheels", "count"}) {
        CHECK(required.find('"' + std::string(name) + '"') != required.npos);
    }
    for (const char* name : {"loud", "loads", "spare"}) {
        CHECK(required.find('"' + std::string(name) + '"') == required.npos);
    }
}

}  // namespace rocenv::described_test
