// SPDX-License-Identifier: MIT
// One description writes, reads and makes the schema.
#include "json/describe.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
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
    Colour colour = Colour::blue;
    Loud loud = Loud::no;
    std::vector<Wheel> wheels;
    std::map<std::string, std::uint64_t> loads;
    std::optional<Wheel> spare;
    std::optional<std::uint64_t> age;
    std::optional<Colour> trim;
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
        at.needed("spokes", &Wheel::spokes, {.at_least = 3, .at_most = 99});
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
        at.maybe("age", &Cart::age);
        at.member("trim", &Cart::trim);
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

const Cart full{"Ann",
                "X 1",
                "bee",
                Colour::blue,
                Loud::yes,
                {{"left", 8}, {"right", 9}},
                {{"hay", 3}},
                Wheel{"spare", 10},
                5,
                Colour::red};

// Returns the members of an object of JSON, each with its value as it is written.
std::vector<std::pair<std::string, std::string>> members_of(std::string_view object) {
    std::vector<std::pair<std::string, std::string>> out;
    JsonCursor json(object);
    std::string_view name;
    std::string_view value;
    json.enter('{');
    while (json.key(name)) {
        std::string key(name);
        CHECK(json.raw(value));
        out.emplace_back(std::move(key), value);
    }
    CHECK(json.good());
    return out;
}

std::string member_of(std::string_view object, std::string_view name) {
    for (const auto& [key, value] : members_of(object)) {
        if (key == name) {
            return value;
        }
    }
    return {};
}

std::vector<std::string> names_of(std::string_view object) {
    std::vector<std::string> out;
    for (const auto& [name, value] : members_of(object)) {
        out.push_back('"' + name + '"');
    }
    return out;
}

std::vector<std::string> elements_of(std::string_view list) {
    std::vector<std::string> out;
    JsonCursor json(list);
    std::string_view value;
    json.enter('[');
    while (json.element() && json.raw(value)) {
        out.emplace_back(value);
    }
    CHECK(json.good());
    return out;
}

// Returns the type of a value of JSON, as JSON Schema names it; empty without a value.
std::string type_of(std::string_view value) {
    if (value.empty()) {
        return {};
    }
    switch (value.front()) {
        case '{':
            return "object";
        case '[':
            return "array";
        case '"':
            return "string";
        case 'n':
            return "null";
        default:
            return value == "true" || value == "false" ? "boolean" : "integer";
    }
}

bool has(const std::vector<std::string>& list, const std::string& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

// Returns whether the schema of a member allows a value, by its constant, its words or its type.
bool allows(std::string_view schema, const std::string& value) {
    if (const auto constant = member_of(schema, "const"); !constant.empty()) {
        return value == constant;
    }
    if (const auto words = member_of(schema, "enum"); !words.empty()) {
        return has(elements_of(words), value);
    }
    const std::string types = member_of(schema, "type");
    const std::string type = '"' + type_of(value) + '"';
    return types.starts_with('[') ? has(elements_of(types), type) : types == type;
}

// Returns a cart with one member besides its owner, and one that no cart has.
std::string cart_with(const std::string& member) {
    return (member.starts_with("\"owner\"") ? "{" : R"({"owner": "a", )") + member + R"(, "x": 1})";
}

}  // namespace

TEST_CASE("described: what is written reads back the same", "[json]") {
    const std::string text = json_text_of(full, NoContext{}, JsonLayout::one_line);
    CHECK(text == R"({"schema": "cart/1", "owner": "Ann", "plate": "X 1", "nick": "bee", )"
                  R"("colour": "blue", "loud": true, "wheels": [{"name": "left", "spokes": 8}, )"
                  R"({"name": "right", "spokes": 9}], "loads": {"hay": 3}, )"
                  R"("spare": {"name": "spare", "spokes": 10}, "age": 5, "trim": "red", )"
                  R"("count": 2})"
                  "\n");
    Cart again;
    CHECK(read(text, again) == "whole");
    CHECK(json_text_of(again, NoContext{}, JsonLayout::one_line) == text);
    // Earlier contents do not stay.
    CHECK(json_text_of(Cart(), NoContext{}, JsonLayout::one_line) ==
          R"({"schema": "cart/1", "owner": "", "plate": null, "nick": null, "colour": "blue", )"
          R"("wheels": [], "trim": null, "count": 0})"
          "\n");
    CHECK(read(R"({"schema": "cart/1", "owner": "Bob"})", again) == "whole");
    CHECK(again.wheels.empty());
    CHECK(again.loads.empty());
    CHECK(!again.spare);
    CHECK(!again.age);
    CHECK(!again.trim);
    CHECK(!again.plate);
    CHECK(again.nick.empty());
    CHECK(again.loud == Loud::no);
    CHECK(again.colour == Colour::blue);
}

TEST_CASE("described: 0 and an empty text are values", "[json]") {
    Cart cart = full;
    cart.age = 0;
    cart.plate->clear();
    Cart again;
    CHECK(read(json_text_of(cart), again) == "whole");
    CHECK(again.age == 0U);
    CHECK(again.plate == "");
}

TEST_CASE("described: an absent member has the initial value of its struct", "[json]") {
    Cart cart = full;
    cart.colour = Colour::red;
    CHECK(read(R"({"owner": "a"})", cart) == "whole");
    CHECK(cart.colour == Colour::blue);
    CHECK(cart.loud == Loud::no);
    CHECK(!cart.age);
}

TEST_CASE("described: a value of another type is garbled", "[json]") {
    for (const auto& [name, written] : members_of(json_text_of(full))) {
        for (const std::string value : {"7", "\"red\"", "true", "[]", "{}"}) {
            if (name == "count" || type_of(value) == type_of(written)) {
                continue;  // count is only written
            }
            const std::string member = '"' + name + "\": " + value;
            CAPTURE(member);
            CHECK(read(cart_with(member)) == "garbled in " + name);
        }
    }
}

TEST_CASE("described: an object needs each of its needed members", "[json]") {
    const std::string name = R"("name": "a")";
    const std::string spokes = R"("spokes": 3)";
    const auto with_wheel = [](const std::string& members) {
        return read(cart_with(R"("wheels": [{)" + members + "}]"));
    };
    CHECK(with_wheel(name + ", " + spokes) == "whole");
    CHECK(with_wheel(spokes + ", " + name) == "whole");
    for (const auto& lacking : {name, spokes, std::string()}) {
        CAPTURE(lacking);
        CHECK(with_wheel(lacking) == "garbled in wheels");
    }
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
    CHECK(read(R"({"owner": "a", "wheels": [{"name": "a", "spokes": 3, "spokes": 3}]})") ==
          "garbled in wheels");
    CHECK(read(R"({"owner": "a", "wheels": [{"name": "a", "spokes": -1}]})") ==
          "garbled in wheels");
    CHECK(read(R"({"owner": "a", "wheels": [{"name": "a", "spokes": 99}]})") == "whole");
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
    reading.selects = [](std::string_view member, std::string_view key) {
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
    CHECK(names_of(member_of(schema, "properties")) == names_of(json_text_of(full)));
    CHECK(elements_of(member_of(schema, "required")) == names_of(json_text_of(Cart())));
}

TEST_CASE("described: the schema allows what is written, and no other type", "[json]") {
    const std::string members = member_of(json_schema_of<Cart>("A cart"), "properties");
    for (const auto& cart : {full, Cart()}) {
        for (const auto& [name, value] : members_of(json_text_of(cart))) {
            CAPTURE(name);
            CHECK(allows(member_of(members, name), value));
        }
    }
    const std::string as_full = json_text_of(full);
    const std::string as_empty = json_text_of(Cart());
    for (const auto& [name, schema] : members_of(members)) {
        for (const std::string value : {"null", "7", "\"x\"", "true", "[]", "{}"}) {
            const bool is_written = type_of(member_of(as_full, name)) == type_of(value) ||
                                    type_of(member_of(as_empty, name)) == type_of(value);
            CAPTURE(name, value);
            CHECK((is_written || !allows(schema, value)));
        }
    }
}

TEST_CASE("described: an enum of the schema has every word, and no other", "[json]") {
    const std::string members = member_of(json_schema_of<Cart>("A cart"), "properties");
    std::vector<std::string> words;
    for (const auto& word : words_of<Colour>()) {
        words.push_back('"' + word + '"');
    }
    CHECK(elements_of(member_of(member_of(members, "colour"), "enum")) == words);
    words.emplace_back("null");
    CHECK(elements_of(member_of(member_of(members, "trim"), "enum")) == words);
}

}  // namespace rocenv::described_test
