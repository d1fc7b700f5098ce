// SPDX-License-Identifier: MIT
#include "profile/profile_diff.h"

#include <map>

#include "json/out.h"
#include "json/schema.h"
#include "print/document.h"
#include "util/credentials.h"
#include "util/text.h"
#include "variables/environment.h"

namespace rocenv {

namespace {

bool same(const Expectation& a, const Expectation& b) {
    const bool alike = a.unset == b.unset && (a.unset || toml_text(a.value) == toml_text(b.value));
    return alike && a.level == b.level && a.must_exist == b.must_exist;
}

}  // namespace

std::string expected_text(const Expectation& expectation) {
    constexpr std::string_view family = "env.";
    if (expectation.unset) {
        return "unset";
    }
    std::string text = toml_text(expectation.value);
    if (!expectation.id.starts_with(family)) {
        return text;
    }
    return is_secret_name(std::string_view(expectation.id).substr(family.size()))
               ? "a secret, not shown"
               : value_without_credentials(text);
}

ProfileDiff diff_profiles(const Resolved& a, const Resolved& b) {
    ProfileDiff out;
    out.a = join(a.names, " + ");
    out.b = join(b.names, " + ");
    std::map<std::string, const Expectation*> others;
    for (const auto& expectation : b.expectations) {
        others.emplace(expectation.id, &expectation);
    }
    for (const auto& expectation : a.expectations) {
        const auto other = others.find(expectation.id);
        if (other == others.end()) {
            out.only_a.push_back(expectation);
            continue;
        }
        if (same(expectation, *other->second)) {
            ++out.alike;
        } else {
            out.differ.push_back({expectation, *other->second});
        }
        others.erase(other);
    }
    for (const auto& expectation : b.expectations) {
        if (others.contains(expectation.id)) {
            out.only_b.push_back(expectation);
        }
    }
    return out;
}

namespace {

std::string level_text(const Expectation& expectation) {
    return std::string(word_of(expectation.level));
}

std::string_view presence_text(const Expectation& expectation) {
    return expectation.must_exist ? "file must exist" : "file may be missing";
}

// Adds a row for each property that differs.
void add_change(const ProfileDiff::Pair& pair, std::vector<TextRow>& rows) {
    const std::string before = expected_text(pair.a);
    const std::string after = expected_text(pair.b);
    if (before != after) {
        rows.push_back({pair.a.id, before, "-> " + after});
    } else if (!pair.a.unset && toml_text(pair.a.value) != toml_text(pair.b.value)) {
        rows.push_back({pair.a.id, "another secret"});
    }
    if (pair.a.level != pair.b.level) {
        rows.push_back(
            {pair.a.id, "level " + level_text(pair.a), "-> level " + level_text(pair.b)});
    }
    if (pair.a.must_exist != pair.b.must_exist) {
        rows.push_back({pair.a.id, std::string(presence_text(pair.a)),
                        "-> " + std::string(presence_text(pair.b))});
    }
}

std::vector<TextRow> rows_of(const std::vector<ProfileDiff::Pair>& pairs) {
    std::vector<TextRow> rows;
    for (const auto& pair : pairs) {
        add_change(pair, rows);
    }
    return rows;
}

std::vector<TextRow> rows_of(const std::vector<Expectation>& expectations) {
    std::vector<TextRow> rows;
    rows.reserve(expectations.size());
    for (const auto& expectation : expectations) {
        rows.push_back({expectation.id, level_text(expectation), expected_text(expectation)});
    }
    return rows;
}

// Adds a heading and the rows below it if there are any.
void add_table(const std::string& heading, std::vector<TextRow> rows, Document& out) {
    if (rows.empty()) {
        return;
    }
    out.margin(0);
    out.blank();
    out.heading(heading);
    out.margin(2);
    out.table(std::move(rows));
}

std::string head_text(const ProfileDiff& diff) {
    const std::string names = diff.a + " -> " + diff.b + ": ";
    if (diff.equal()) {
        return names + "no difference, " + number(diff.alike) + " equal";
    }
    return names + number(diff.differ.size()) + " differ, " + number(diff.only_a.size()) +
           " only in the first, " + number(diff.only_b.size()) + " only in the second, " +
           number(diff.alike) + " equal";
}

}  // namespace

std::string render_profile_diff_human(const ProfileDiff& diff, Detail detail, Screen screen) {
    if (detail == Detail::quiet) {
        return "";
    }
    Document out;
    out.paragraph(head_text(diff));
    add_table("Different", rows_of(diff.differ), out);
    add_table("Only in " + diff.a, rows_of(diff.only_a), out);
    add_table("Only in " + diff.b, rows_of(diff.only_b), out);
    return out.text(screen);
}

// One side of a difference, and what only one side has.
struct DiffState {
    const Expectation& expectation;
};
struct DiffEntry {
    const Expectation& expectation;
};

constexpr JsonNote diff_value{
    .says = "in TOML; \"unset\" without quotes: the variable must not be set", .filled = true};

template <>
struct Described<DiffState> {
    static void members(auto& at) {
        at.member(
            "value", [](const DiffState& of) { return expected_text(of.expectation); }, diff_value);
        at.member("level", [](const DiffState& of) { return of.expectation.level; });
        at.member("from", [](const DiffState& of) { return place_text(of.expectation.place); },
                  {.says = "file:line:column"});
    }
};

template <>
struct Described<DiffEntry> {
    static void members(auto& at) {
        at.member("id", [](const DiffEntry& of) { return of.expectation.id; }, {.filled = true});
        at.member(
            "value", [](const DiffEntry& of) { return expected_text(of.expectation); }, diff_value);
        at.member("level", [](const DiffEntry& of) { return of.expectation.level; });
        at.member("from", [](const DiffEntry& of) { return place_text(of.expectation.place); },
                  {.says = "file:line:column"});
    }
};

template <>
struct Described<ProfileDiff::Pair> {
    using Pair = ProfileDiff::Pair;
    static void members(auto& at) {
        at.member("id", [](const Pair& pair) { return pair.a.id; }, {.filled = true});
        at.member("a", [](const Pair& pair) { return DiffState{pair.a}; });
        at.member("b", [](const Pair& pair) { return DiffState{pair.b}; });
    }
};

template <>
struct Described<ProfileDiff> {
    static void members(auto& at) {
        at.constant("schema", "rocenv.profile-diff/1");
        at.member("version", [](const ProfileDiff&) { return ROCENV_VERSION; }, {.filled = true});
        at.member("a", &ProfileDiff::a, {.says = "name of the first profile", .filled = true});
        at.member("b", &ProfileDiff::b, {.says = "name of the second profile", .filled = true});
        at.member("equal", [](const ProfileDiff& diff) { return diff.equal(); });
        at.member("alike", &ProfileDiff::alike,
                  {.says = "number of entries with the same value and level"});
        at.member("differ", &ProfileDiff::differ,
                  {.says = "in the order of the settings, like the other lists"});
        at.member("only_a", [](const ProfileDiff& diff) { return entries(diff.only_a); });
        at.member("only_b", [](const ProfileDiff& diff) { return entries(diff.only_b); });
    }

   private:
    static std::vector<DiffEntry> entries(const std::vector<Expectation>& expectations) {
        std::vector<DiffEntry> out;
        out.reserve(expectations.size());
        for (const auto& expectation : expectations) {
            out.push_back({expectation});
        }
        return out;
    }
};

std::string render_profile_diff_json(const ProfileDiff& diff) {
    return json_text_of(diff);
}

std::string profile_diff_schema() {
    return json_schema_of<ProfileDiff>(
        "Two profiles side by side, from rocenv profile diff --format json");
}

}  // namespace rocenv
