// SPDX-License-Identifier: MIT
// Values that a reset accepts from a journal, for each id that was ever settable: patterns.txt. A
// line stays for good, also if the setting changes. Sample texts, with the limits, are given to the
// rules as records of a journal. UPDATE=1 adds lines for new patterns.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "os/fs/posix_fs.h"
#include "settings/registry.h"
#include "support/catch.h"
#include "transaction/journal/record_rules.h"
#include "util/place_pattern.h"
#include "util/text.h"

namespace rocenv::patterns_test {

namespace {

const std::string file = std::string(ROCENV_SOURCE_DIR) + "/tests/journals/patterns.txt";
constexpr std::size_t samples = 3;  // samples of each pattern

struct Pattern {
    std::string id;
    std::string path;
    Codec codec = Codec::line;
    std::optional<Offsets> offsets;
    std::string bytes;  // empty: only read
};

std::string line_of(std::string_view id, const WrittenPlace& place) {
    const auto offsets = place.offsets ? number(place.offsets->lowest) + " " +
                                             number(place.offsets->highest) + " " +
                                             number(place.offsets->step)
                                       : std::string("whole");
    return std::string(id) + "\t" + std::string(place.path) + "\t" +
           std::string(word_of(place.codec)) + "\t" + offsets + "\t" +
           (place.bytes.empty() ? "read only" : std::string(place.bytes)) + "\n";
}

Pattern pattern_of(std::string_view line) {
    const auto fields = split(line, '\t');
    REQUIRE(fields.size() == 5);
    const auto codec = value_of<Codec>(fields[2]);
    REQUIRE(codec);
    Pattern out{std::string(fields[0]), std::string(fields[1]), *codec, std::nullopt,
                fields[4] == "read only" ? "" : std::string(fields[4])};
    const auto numbers = words(fields[3]);
    if (numbers.size() == 3) {
        out.offsets = Offsets{*parse_number(numbers[0]), *parse_number(numbers[1]),
                              *parse_number(numbers[2])};
    }
    return out;
}

std::string contents() {
    const auto text = real_fs()->read(file);
    return text ? *text : "";
}

std::vector<Pattern> patterns() {
    std::vector<Pattern> out;
    const auto text = contents();
    for (const auto line : split(std::string_view(text), '\n')) {
        if (!line.empty() && !line.starts_with('#')) {
            out.push_back(pattern_of(line));
        }
    }
    return out;
}

// Lines of what the program declares today.
std::vector<std::string> declared() {
    std::vector<std::string> out;
    const auto add = [&](std::string_view id, std::span<const WrittenPlace> places) {
        for (const auto& place : places) {
            out.push_back(line_of(id, place));
        }
    };
    for (const Setting* setting : all_settings()) {
        add(setting->info.id, setting->info.places);
    }
    for (const auto& retired : retired_settings()) {
        add(retired.id, retired.places);
    }
    return out;
}

// A text that a <token> stands for: the shortest or lowest, another one, the longest or highest.
std::string sample_of(const std::string& token, std::size_t which) {
    using namespace std::string_literals;
    static const std::map<std::string, std::array<std::string, samples>> known{
        {"n", {"0", "17", "4294967295"}},
        {"bdf", {"0000:00:00.0", "0000:c5:02.1", "ffff:ff:1f.7"}},
        {"word", {"a", "some_word-2", "abcdefghijklmno"}},
        {"if", {"e", "ens10np0", "abcdefghijklmno"}},
        {"le16", {"\x00\x00"s, "\x1d\x00"s, "\xfe\xff"s}},
    };
    const auto found = known.find(token);
    if (found != known.end()) {
        return found->second.at(which);
    }
    const auto range = range_of("<" + token + ">");
    INFO("a token without samples: " << token);
    REQUIRE(range);
    return number(which == 0   ? range->lowest
                  : which == 1 ? range->lowest + (range->highest - range->lowest) / 2
                               : range->highest);
}

std::string sample(std::string_view pattern, std::size_t which) {
    std::string out;
    while (!pattern.empty()) {
        const auto open = std::min(pattern.find('<'), pattern.size());
        out += pattern.substr(0, open);
        pattern.remove_prefix(open);
        if (!pattern.empty()) {
            const auto close = pattern.find('>');
            out += sample_of(std::string(pattern.substr(1, close - 1)), which);
            pattern.remove_prefix(close + 1);
        }
    }
    return out;
}

// The name that a record of this path has: cpu3/C2, 0000:05:00.0, system.
std::string target_of(const Pattern& pattern, const std::string& path) {
    const auto parts = split(std::string_view(pattern.path), '/');
    const auto names = split(std::string_view(path), '/');
    std::vector<std::string> open;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        if (parts[at].find('<') != std::string_view::npos) {
            open.emplace_back(names[at]);
        }
    }
    return open.empty() ? "system" : open.front() + (open.size() > 1 ? "/C2" : "");
}

std::uint64_t offset_of(const Pattern& pattern, std::size_t which) {
    const auto& known = pattern.offsets;
    return !known       ? 0
           : which == 0 ? known->lowest
           : which == 1 ? known->lowest + known->step
                        : known->highest - (known->highest - known->lowest) % known->step;
}

// All bytes that the pattern's samples stand for, with a line end and without.
std::vector<std::string> bytes_of(const Pattern& pattern, std::size_t which) {
    std::vector<std::string> out;
    for (const auto form : split(std::string_view(pattern.bytes), '|')) {
        out.push_back(sample(form, which));
        if (!pattern.offsets) {
            out.push_back(out.back() + "\n");
        }
    }
    return out;
}

void check_accepted(const Pattern& read, const Pattern& written, std::size_t which) {
    const auto path = sample(read.path, which);
    const auto offset = offset_of(written, which);
    const AttributeState state{{path, read.codec, read.offsets ? offset : 0}, "any", ""};
    for (const auto& bytes : bytes_of(written, which)) {
        const Write write{sample(written.path, which),
                          written.offsets ? std::optional(offset) : std::nullopt, bytes};
        const auto error = refused_record({read.id, target_of(read, path)}, {{write}, {state}});
        INFO(write_text(write));
        CHECK((error ? error->text : "") == "");
    }
}

}  // namespace

TEST_CASE("journal patterns: whatever could be recorded once is accepted", "[journals]") {
    const auto all = patterns();
    CHECK(all.size() >= 22);
    for (const auto& pattern : all) {
        INFO(pattern.id << " " << pattern.path << " as " << word_of(pattern.codec));
        // One that is only read is offered with a write of the same setting.
        const auto written = std::find_if(all.begin(), all.end(), [&](const Pattern& other) {
            return other.id == pattern.id && !other.bytes.empty();
        });
        REQUIRE(written != all.end());
        for (std::size_t which = 0; which < samples; ++which) {
            check_accepted(pattern, pattern.bytes.empty() ? *written : pattern, which);
        }
    }
}

TEST_CASE("journal patterns: what the program declares has its line", "[journals]") {
    const auto text = contents();
    std::string missing;
    for (const auto& line : declared()) {
        missing += ("\n" + text).find("\n" + line) == std::string::npos ? line : "";
    }
    if (std::getenv("UPDATE") != nullptr) {
        std::ofstream(file, std::ios::binary | std::ios::app) << missing;
        missing.clear();
    }
    CHECK(missing == "");
}

}  // namespace rocenv::patterns_test
