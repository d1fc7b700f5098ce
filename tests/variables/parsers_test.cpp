// SPDX-License-Identifier: MIT
// Each parser on its table of texts, on hostile texts, and next to the C library.
#include "variables/parsers/parsers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <random>
#include <set>

#include "support/catch.h"
#include "variables/reading.h"
#include "variables/texts_file.h"

namespace rocenv::parsers_test {

namespace {

const std::filesystem::path folder = ROCENV_SOURCE_DIR "/tests/variables";

// The versions that changed version-dependent parsers, and a text that is not a version.
constexpr std::array<std::string_view, 8> versions = {"2.3.0", "2.6.0", "2.7.1",       "3.3",
                                                      "6.0.2", "6.1",   "7.0.0+git12", "nightly"};

void check_rows(const Parser& parser, const texts::File& file) {
    for (const auto& row : file.rows) {
        const std::vector<std::string_view> values(row.values.begin(), row.values.end());
        const Effect effect = parser.read({row.text, row.version, values});
        INFO(parser.name << " line " << row.line << ": " << printable(row.text));
        CHECK(effect.shown() == row.shown);
        CHECK(effect.kind == row.kind);
    }
}

// As the shortest text of a double.
bool is_canonical_float(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::array<char, 64> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return error == std::errc() && end == text.data() + text.size() &&
           std::string_view(buffer.data(), written.ptr) == text;
}

bool is_canonical(std::string_view decimal) {
    const bool negative = decimal.starts_with('-');
    decimal.remove_prefix(negative ? 1 : 0);
    const bool digits =
        !decimal.empty() && decimal.find_first_not_of("0123456789") == std::string_view::npos;
    return digits && (decimal.front() != '0' || (decimal.size() == 1 && !negative));
}

void check_sound(const Parser& parser, const ParserInput& input) {
    const Effect effect = parser.read(input);
    bool sound = effect == parser.read(input);
    switch (effect.kind) {
        case EffectKind::truth:
            sound = sound && (effect.value == "true" || effect.value == "false");
            break;
        case EffectKind::number:
            sound = sound && (is_canonical(effect.value) ||
                              ((parser.name == "py-float" || parser.name == "sglang-float") &&
                               is_canonical_float(effect.value)));
            break;
        case EffectKind::text:
            break;
        case EffectKind::unknown:
            sound = sound && !effect.note.empty();
            [[fallthrough]];
        case EffectKind::unset:
        case EffectKind::error:
            sound = sound && effect.value.empty();
    }
    for (const std::string_view type : {"bool", "int", "string"}) {
        const auto sentence = misreading(type, parser, input);
        sound = sound && (!sentence || (!sentence->empty() && sentence->size() < 1000));
    }
    INFO(parser.name << " " << printable(input.text, 100));
    REQUIRE(sound);
}

// No kernel hands a program a longer one (MAX_ARG_STRLEN of include/uapi/linux/binfmts.h, 128 KiB).
constexpr std::size_t longest = std::size_t{1} << 17U;

std::vector<std::string> hostile_texts() {
    std::vector<std::string> texts = {std::string(1, '\0'),
                                      std::string("1\0002", 3),
                                      std::string(longest, '9'),
                                      std::string(longest, ' '),
                                      std::string(longest, '0') + "1",
                                      std::string(longest, '\xff'),
                                      "-" + std::string(5000, '1'),
                                      "\xf0\x9d\x9f\x98",
                                      "\xf0\x9d\x9f",
                                      "\xc0\x80",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "0x",
                                      "0X" + std::string(40, 'f'),
                                      "+",
                                      "-",
                                      "%s%n",
                                      "'; rm -rf /",
                                      "$(true)"};
    for (int byte = 0; byte < 256; ++byte) {
        const auto one = static_cast<char>(byte);
        texts.push_back(std::string(1, one));
        texts.push_back(std::string{one, '1'});
        texts.push_back(std::string{'1', one});
        texts.push_back(std::string{'1', one, '0'});
    }
    return texts;
}

// Short texts of what numbers and switches are made of.
std::string random_text(std::mt19937& random) {
    constexpr std::string_view alphabet =
        "0011223456789aAbBefFxXonyts +-_.,\t\n\v\f\r\"'\xff\xc2\xa0\x1f";
    std::string text;
    for (std::size_t left = random() % 24; left > 0; --left) {
        text += alphabet[random() % alphabet.size()];
    }
    return text;
}

std::string with(const char* name, std::string_view text) {
    return find_parser(name)->read({text, {}, {}}).shown();
}

std::string real_stoi(const std::string& text) {
    try {
        return std::to_string(std::stoi(text));
    } catch (const std::exception&) {
        return "error";
    }
}

std::string real_gfx_version(const std::string& text) {
    unsigned major = 0, minor = 0, step = 0;
    char more = 0;
    // The reader's own call.
    const int found = std::sscanf(text.c_str(), "%u.%u.%u%c", &major, &minor, &step, &more);
    return found != 3 || major > 63 || minor > 255 || step > 255
               ? "error"
               : std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(step);
}

void check_against_libc(const std::string& text) {
    INFO(printable(text));
    // Undefined by the standard beyond an int, but what glibc does.
    const auto atoi = static_cast<int>(std::strtol(text.c_str(), nullptr, 10));
    CHECK(with("atoi", text) == std::to_string(atoi));
    CHECK(with("clr-uint", text) == std::to_string(static_cast<unsigned>(atoi)));
    CHECK(with("clr-size", text) ==
          std::to_string(static_cast<std::size_t>(std::strtol(text.c_str(), nullptr, 10))));
    CHECK(with("rocr-size", text) == std::to_string(std::strtoul(text.c_str(), nullptr, 10)));
    CHECK(with("stoi", text) == real_stoi(text));
    if (with("strtoull", text) == "unknown") {
        return;
    }
    CHECK(with("strtol", text) == std::to_string(std::strtol(text.c_str(), nullptr, 0)));
    CHECK(with("strtoull", text) == std::to_string(std::strtoull(text.c_str(), nullptr, 0)));
    errno = 0;
    const long long value = std::strtoll(text.c_str(), nullptr, 0);
    CHECK(with("nccl-int", text) == (text.empty() || errno != 0 ? "unset" : std::to_string(value)));
}

TEST_CASE("Every parser reads the texts of its table as its program does", "[parsers]") {
    for (const auto& parser : all_parsers()) {
        const auto path = folder / "parsers" / (std::string(parser.name) + ".txt");
        INFO(path.string());
        REQUIRE(std::filesystem::exists(path));
        const texts::File file = texts::read_file(path);
        CHECK(file.has_source);
        std::set<std::string> different;
        for (const auto& row : file.rows) {
            different.insert(row.text);
        }
        CHECK(different.size() >= 12);
        check_rows(parser, file);
    }
}

TEST_CASE("Every table of texts has its parser", "[parsers]") {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "parsers")) {
        INFO(entry.path().string());
        CHECK(find_parser(entry.path().stem().string()) != nullptr);
        ++count;
    }
    CHECK(count == all_parsers().size());
}

TEST_CASE("Parsers stand in order of their names and say what they are", "[parsers]") {
    std::string_view before;
    for (const auto& parser : all_parsers()) {
        INFO(parser.name);
        CHECK(before < parser.name);
        CHECK(find_parser(parser.name) == &parser);
        CHECK(parser.doc.ends_with('.'));
        CHECK_FALSE(parser.source.ends_with('.'));  // a position in a file, not another sentence
        before = parser.name;
    }
    CHECK(find_parser("") == nullptr);
    CHECK(find_parser("eq") == nullptr);
    CHECK(find_parser("eq11") == nullptr);
}

// Gives every parser the hostile texts and `count` random ones.
void check_any_text(std::size_t count) {
    constexpr std::array<std::string_view, 3> words = {"FAST", "1", ""};
    std::mt19937 random(20261121);
    auto texts = hostile_texts();
    std::generate_n(std::back_inserter(texts), count, [&] { return random_text(random); });
    for (const auto& parser : all_parsers()) {
        for (const auto& text : texts) {
            check_sound(parser, {text, {}, {}});
            check_sound(parser, {text, versions[random() % versions.size()], words});
        }
    }
}

TEST_CASE("Parsers answer to any text", "[parsers]") {
    check_any_text(250);
}

TEST_CASE("Parsers answer to any of many texts", "[parsers][long]") {
    check_any_text(1000);
}

TEST_CASE("A text that is used as it is comes back as it went", "[parsers]") {
    for (const auto& text : hostile_texts()) {
        CHECK((with("string", text) == text));
        CHECK((with("comma-list", text) == text));
    }
}

TEST_CASE("Number parsers agree with the C library", "[parsers]") {
    std::mt19937 random(4);
    for (int round = 0; round < 20000; ++round) {
        check_against_libc(random_text(random));
    }
    for (const std::int64_t edge : {INT32_MAX, INT32_MIN}) {
        for (std::int64_t step = -2; step <= 2; ++step) {
            check_against_libc(std::to_string(edge + step));
            check_against_libc(std::to_string(2 * edge + step));
        }
    }
    for (const char* text :
         {"9223372036854775806", "9223372036854775807", "9223372036854775808",
          "-9223372036854775807", "-9223372036854775808", "-9223372036854775809",
          "18446744073709551614", "18446744073709551615", "18446744073709551616",
          "-18446744073709551615", "-18446744073709551616", "0xffffffffffffffff",
          "0x10000000000000000", "01777777777777777777777", "02000000000000000000000"}) {
        check_against_libc(text);
    }
}

TEST_CASE("HSA_OVERRIDE_GFX_VERSION is read as sscanf reads it", "[parsers]") {
    constexpr std::string_view alphabet = "0011223344569..... +-x";
    std::mt19937 random(7);
    for (int round = 0; round < 50000; ++round) {
        std::string text = round % 2 == 0 ? "9.4." : "";
        for (std::size_t left = random() % 9; left > 0; --left) {
            text += alphabet[random() % alphabet.size()];
        }
        INFO(text);
        REQUIRE(with("gfx-version", text) == real_gfx_version(text));
    }
}

TEST_CASE("Python's int() is read as Python reads it", "[parsers]") {
    const texts::File file = texts::read_file(folder / "python_int.txt");
    CHECK(file.rows.size() > 500);
    check_rows(*find_parser("py-int"), file);
}

}  // namespace

}  // namespace rocenv::parsers_test
