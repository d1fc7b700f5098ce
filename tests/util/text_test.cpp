// SPDX-License-Identifier: MIT
#include "util/text.h"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/catch.h"

namespace text_test {

namespace {

using namespace rocenv;
using Numbers = std::vector<std::uint32_t>;

struct ListCase {
    const char* text;
    Numbers numbers;
};

template <typename Text>
concept Trimmed = requires(Text&& text) {
    trim(std::forward<Text>(text));
};
template <typename Text>
concept Divided = requires(Text&& text) {
    split(std::forward<Text>(text), ',');
};
template <typename Text>
concept Worded = requires(Text&& text) {
    words(std::forward<Text>(text));
};
static_assert(Trimmed<std::string&> && Divided<const std::string&> && Worded<std::string_view>);
static_assert(!Trimmed<std::string> && !Divided<std::string> && !Worded<std::string>);
static_assert(!Trimmed<const std::string> && !Divided<const std::string>);

TEST_CASE("A number list comes back as it went", "[text]") {
    const ListCase cases[] = {{"", {}},
                              {"0", {0}},
                              {"0-3,8", {0, 1, 2, 3, 8}},
                              {"1,3,5", {1, 3, 5}},
                              {"0-1,4-5,383", {0, 1, 4, 5, 383}}};
    for (const auto& item : cases) {
        CAPTURE(item.text);
        CHECK(number_list(item.numbers) == item.text);
        CHECK(parse_number_list(item.text) == item.numbers);
    }
}

TEST_CASE("A list of every second number comes back", "[text]") {
    Numbers numbers;
    for (std::uint32_t at = 0; at < 4096; at += at % 3 + 1) {
        numbers.push_back(at);
    }
    CHECK(parse_number_list(number_list(numbers)) == numbers);
}

TEST_CASE("Hostile number lists are refused, not obeyed", "[text]") {
    for (const char* text : {"0-99999999999",
                             "5-3",
                             "1,,2",
                             ",",
                             "1,",
                             ",1",
                             "-",
                             "1-",
                             "-1",
                             "1-2-3",
                             "0x1",
                             " 1",
                             "1 ",
                             "1, 2",
                             "a",
                             "0-65536",
                             "0-65535,7",
                             "16777216",
                             "99999999999999999999",
                             "0-18446744073709551615",
                             "18446744073709551615",
                             "\xff",
                             "+1"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_number_list(text));
    }
    CHECK_FALSE(parse_number_list(std::string_view("1\0", 2)));
}

TEST_CASE("The longest list that is taken has 65536 numbers", "[text]") {
    const auto list = parse_number_list("0-65535");
    REQUIRE(list);
    CHECK(list->size() == 65536);
    CHECK(list->back() == 65535);
}

struct VersionCase {
    const char* left;
    const char* right;
    int order;
};

TEST_CASE("Versions compare number by number", "[text]") {
    const VersionCase cases[] = {{"6.2", "6.2.0", 0},    {"6.10", "6.9", 1},
                                 {"6.2", "6.10", -1},    {"10", "9.9", 1},
                                 {"6.2.1-66", "6.2", 1}, {"7.0.0rc1", "7", 0},
                                 {"007", "7", 0},        {"5.15.0-generic", "6", -1}};
    for (const auto& item : cases) {
        CAPTURE(item.left, item.right);
        const auto order = compare_versions(item.left, item.right);
        REQUIRE(order);
        CHECK(*order == item.order);
        CHECK(compare_versions(item.right, item.left) == -item.order);
    }
}

TEST_CASE("What does not start with a number is no version", "[text]") {
    for (const char* text : {"", "v6.2", "rocm-6", ".", "..", " 6"}) {
        CAPTURE(text);
        CHECK_FALSE(compare_versions(text, "0"));
        CHECK_FALSE(compare_versions("0", text));
    }
}

TEST_CASE("A version number too large to hold is not skipped over", "[text]") {
    CHECK(compare_versions("99999999999999999999999.1", "2") != -1);
}

struct PrintableCase {
    std::string text;
    std::string shown;
};

TEST_CASE("What goes to a terminal holds no control bytes and only UTF-8", "[text]") {
    const PrintableCase cases[] = {{"plain text", "plain text"},
                                   {"\x1b[31mred", "\\x1b[31mred"},
                                   {"a\nb\tc\r", "a\\x0ab\\x09c\\x0d"},
                                   {std::string("nul\0", 4), "nul\\x00"},
                                   {"\x7f", "\\x7f"},
                                   {"g\xc3\xbcnstig", "g\xc3\xbcnstig"},
                                   {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
                                   {"\xff\xfe", "\\xff\\xfe"},
                                   {"cut \xe2\x82", "cut \\xe2\\x82"},
                                   {"\xc0\xaf", "\\xc0\\xaf"},
                                   {"\x80", "\\x80"},
                                   {"", ""}};
    for (const auto& item : cases) {
        CAPTURE(item.shown);
        CHECK(printable(item.text) == item.shown);
    }
}

TEST_CASE("Overlong forms, surrogates and numbers beyond Unicode are not UTF-8", "[text]") {
    for (const char* text :
         {"\xe0\x80\xaf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x80\x80\xaf",
          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc1\xbf"}) {
        CAPTURE(printable(text));
        CHECK(utf8_length(text) == 0);
    }
    for (const char* text : {"\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xf0\x90\x80\x80",
                             "\xf4\x8f\xbf\xbf", "\xc2\xa0"}) {
        CAPTURE(text);
        CHECK(utf8_length(text) == std::string(text).size());
    }
}

TEST_CASE("C1 control characters do not reach a terminal", "[text]") {
    CHECK(printable("\xc2\x9b"
                    "31m") == "\\xc2\\x9b31m");  // U+009B starts an escape sequence as ESC [ does
}

std::string utf8(std::uint32_t point) {
    const auto part = [](std::uint32_t bits) { return static_cast<char>(bits); };
    if (point < 0x80) {
        return {part(point)};
    }
    const auto next = [&](unsigned shift) { return part(0x80U | (point >> shift & 0x3fU)); };
    if (point < 0x800) {
        return {part(0xc0U | point >> 6), next(0)};
    }
    if (point < 0x10000) {
        return {part(0xe0U | point >> 12), next(6), next(0)};
    }
    return {part(0xf0U | point >> 18), next(12), next(6), next(0)};
}

bool steers_a_terminal(std::uint32_t point) {
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || point == 0x200e ||
           point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2066 && point <= 0x206f);
}

TEST_CASE("Of all code points those that steer a terminal are escaped, and no other", "[text]") {
    for (std::uint32_t point = 1; point <= 0x10ffff; ++point) {
        if (point >= 0xd800 && point <= 0xdfff) {
            continue;
        }
        const std::string text = utf8(point);
        const std::string shown = printable(text);
        if ((shown == text) == steers_a_terminal(point) ||
            (shown != text && (!is_plain(shown) || shown.size() != 4 * text.size()))) {
            FAIL("code point " << point << " is shown as " << shown);
        }
    }
    CHECK(printable(std::string(1, '\0')) == "\\x00");
}

TEST_CASE("What was made printable stays as it is", "[text]") {
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            const std::string text{'a', static_cast<char>(first), static_cast<char>(second)};
            const std::string once = printable(text);
            if (once != printable(once) || once != printable(text, uncut)) {
                FAIL("bytes " << first << " and " << second);
            }
        }
    }
}

TEST_CASE("Line ends and styles of ours stay, those of a text that is shown do not", "[text]") {
    const std::string text = "\x1b[1mname\x1b[0m\n\x1b[2J\x9b";
    CHECK(printable_but(Kept::both, text) == "\x1b[1mname\x1b[0m\n\\x1b[2J\\x9b");
    CHECK(printable_but(Kept::styles, text) == "\x1b[1mname\x1b[0m\\x0a\\x1b[2J\\x9b");
}

TEST_CASE("A long text is cut between characters and says so", "[text]") {
    CHECK(printable("abcdef", 6) == "abcdef");
    CHECK(printable("abcdef", 3) == "abc...");
    CHECK(printable("\xc3\xbc\xc3\xbc", 3) == "\xc3\xbc...");
    CHECK(printable("\x01", 3) == "...");
    CHECK(printable(std::string(100000, 'x')).size() < 210);
}

struct GlobCase {
    const char* pattern;
    const char* text;
    bool matches;
};

TEST_CASE("Globs know * and ?", "[text]") {
    const GlobCase cases[] = {{"*", "", true},
                              {"", "", true},
                              {"", "a", false},
                              {"gpu.*", "gpu.count", true},
                              {"gpu.*", "gpu.", true},
                              {"gpu.*", "gpus", false},
                              {"?", "", false},
                              {"a?c", "abc", true},
                              {"*.acs", "pci.acs", true},
                              {"*a*b", "aab", true},
                              {"*a*b", "aba", false},
                              {"**", "x", true},
                              {"[a]", "a", false},
                              {"env.HSA_*", "env.HSA_NO_SCRATCH", true}};
    for (const auto& item : cases) {
        CAPTURE(item.pattern, item.text);
        CHECK(glob_match(item.pattern, item.text) == item.matches);
    }
}

TEST_CASE("A glob made to backtrack does not", "[text]") {
    std::string pattern;
    for (int at = 0; at < 30; ++at) {
        pattern += "*a";
    }
    CHECK_FALSE(glob_match(pattern + "b", std::string(5000, 'a')));
}

TEST_CASE("A word of a text stands between blanks", "[text]") {
    const std::string_view text = "performance powersave\tschedutil\n";
    for (const char* word : {"performance", "powersave", "schedutil"}) {
        INFO(word);
        CHECK(contains_word(text, word));
    }
    for (const char* other : {"", "power", "save", "performance powersave x", "erformance"}) {
        INFO(other);
        CHECK_FALSE(contains_word(text, other));
    }
    CHECK(contains_word("powersavex powersave", "powersave"));
    CHECK_FALSE(contains_word("", "a"));
    CHECK_FALSE(contains_word("", ""));
}

// All prefixes against all prefixes.
std::size_t slow_edits(const std::string& left, const std::string& right) {
    std::vector<std::vector<std::size_t>> table(left.size() + 1,
                                                std::vector<std::size_t>(right.size() + 1));
    for (std::size_t i = 0; i <= left.size(); ++i) {
        for (std::size_t j = 0; j <= right.size(); ++j) {
            table[i][j] = i == 0 ? j : j == 0 ? i : 1000;
            if (i > 0 && j > 0) {
                const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
                table[i][j] = std::min(
                    {table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + change});
            }
        }
    }
    return table[left.size()][right.size()];
}

TEST_CASE("Few edits between two texts are counted, more are not", "[text]") {
    std::mt19937 random(11);
    const auto any = [&] {
        std::string text;
        for (std::size_t left = random() % 8; left > 0; --left) {
            text += "ABC"[random() % 3];
        }
        return text;
    };
    for (int round = 0; round < 20000; ++round) {
        const std::string left = any();
        const std::string right = any();
        const std::size_t edits = slow_edits(left, right);
        for (std::size_t most = 0; most <= 3; ++most) {
            INFO(left << " " << right << " " << most);
            REQUIRE(edits_between(left, right, most) ==
                    (edits <= most ? std::optional(edits) : std::nullopt));
        }
    }
}

TEST_CASE("A number is the whole text or nothing", "[text]") {
    CHECK(parse_number("0") == 0U);
    CHECK(parse_number("007") == 7U);
    CHECK(parse_number("18446744073709551615") == UINT64_MAX);
    CHECK(parse_number("fF", 16) == 255U);
    for (const char* text : {"", " 1", "1 ", "+1", "-1", "0x10", "1.0", "1e3", "1,000", "one",
                             "18446744073709551616", "1\n"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_number(text));
    }
    CHECK_FALSE(parse_number("0x10", 16));
    CHECK_FALSE(parse_number(std::string_view("1\0", 2)));
}

TEST_CASE("A signed number is the whole text or nothing", "[text]") {
    CHECK(parse_signed("-9223372036854775808") == INT64_MIN);
    CHECK(parse_signed("-0") == 0);
    for (const char* text : {"", "-", "--1", "+1", "- 1", "9223372036854775808"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_signed(text));
    }
}

TEST_CASE("Kernel padding is trimmed at both ends and kept inside", "[text]") {
    CHECK(trim(std::string_view(" \t1 2\n\0\0", 8)) == "1 2");
    CHECK(trim(std::string_view("\0001", 2)).size() == 2);  // not padding at the start
    CHECK(trim("\r\n ").empty());
    CHECK(trim("").empty());
}

TEST_CASE("Splitting keeps empty parts, words drop them", "[text]") {
    CHECK(split("a,,b,", ',') == std::vector<std::string_view>{"a", "", "b", ""});
    CHECK(split("", ',') == std::vector<std::string_view>{""});
    CHECK(words(" a\t b\n\n") == std::vector<std::string_view>{"a", "b"});
    CHECK(words(" \n").empty());
}

TEST_CASE("Joining keeps the position of an empty part", "[text]") {
    const std::vector<std::string> parts{"", "a", ""};
    CHECK(join(parts, ",") == ",a,");
}

TEST_CASE("Clauses and sentences make one text", "[text]") {
    const auto joined = [](const std::vector<std::string>& parts) { return join_sentences(parts); };
    CHECK(joined({}).empty());
    CHECK(joined({"a switch is on"}) == "a switch is on");
    CHECK(joined({"One is off.", "Another is on."}) == "One is off. Another is on.");
    CHECK(joined({"one is off.", "another is on"}) == "one is off; another is on");
    CHECK(joined({"a switch is on", "The node has two"}) == "a switch is on. The node has two");
    CHECK(joined({"did you mean 'A'?", "It is old"}) == "did you mean 'A'? It is old");
}

TEST_CASE("One thing, several things", "[text]") {
    CHECK(counted(0, "setting") == "0 settings");
    CHECK(counted(1, "setting") == "1 setting");
    CHECK(counted(2, "setting") == "2 settings");
}

TEST_CASE("Hexadecimal numbers keep their width", "[text]") {
    CHECK(hex(0x1d, 4) == "0x001d");
    CHECK(hex(0x12345, 4) == "0x12345");
    CHECK(bare_hex(0, 2) == "00");
    CHECK(bare_hex(UINT64_MAX, 4) == "ffffffffffffffff");
}

}  // namespace

}  // namespace text_test
