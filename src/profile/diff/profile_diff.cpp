// SPDX-License-Identifier: MIT
#include "profile/diff/profile_diff.h"

#include <map>

#include "print/document.h"
#include "json/writer.h"
#include "util/credentials.h"
#include "util/text.h"
#include "variables/environment.h"

namespace rocenv {

namespace {

bool same(const Want& a, const Want& b) {
    const bool alike = a.unset == b.unset && (a.unset || toml_text(a.value) == toml_text(b.value));
    return alike && a.level == b.level && a.must_exist == b.must_exist;
}

}  // namespace

std::string want_text(const Want& want) {
    constexpr std::string_view family = "env.";
    if (want.unset) {
        return "unset";
    }
    std::string text = toml_text(want.value);
    if (!want.id.starts_with(family)) {
        return text;
    }
    return is_secret_name(std::string_view(want.id).substr(family.size()))
               ? "a secret, not shown"
               : value_without_credentials(text);
}

ProfileDiff diff_profiles(const Resolved& a, const Resolved& b) {
    ProfileDiff out;
    out.a = join(a.names, " + ");
    out.b = join(b.names, " + ");
    std::map<std::string, const Want*> others;
    for (const auto& want : b.wants) {
        others.emplace(want.id, &want);
    }
    for (const auto& want : a.wants) {
        const auto other = others.find(want.id);
        if (other == others.end()) {
            out.only_a.push_back(want);
            continue;
        }
        if (same(want, *other->second)) {
            ++out.alike;
        } else {
            out.differ.push_back({want, *other->second});
        }
        others.erase(other);
    }
    for (const auto& want : b.wants) {
        if (others.contains(want.id)) {
            out.only_b.push_back(want);
        }
    }
    return out;
}

namespace {

std::string level_text(const Want& want) {
    return std::string(word_of(want.level));
}

// Adds a row for each value and each level that differs.
void add_change(const ProfileDiff::Pair& pair, std::vector<TextRow>& rows) {
    const std::string before = want_text(pair.a);
    const std::string after = want_text(pair.b);
    if (before != after) {
        rows.push_back({pair.a.id, before, "-> " + after});
    } else if (!pair.a.unset && toml_text(pair.a.value) != toml_text(pair.b.value)) {
        rows.push_back({pair.a.id, "another secret"});
    }
    if (pair.a.level != pair.b.level) {
        rows.push_back(
            {pair.a.id, "level " + level_text(pair.a), "-> level " + level_text(pair.b)});
    }
}

void add_only(const std::string& name, const std::vector<Want>& wants, Document& out) {
    if (wants.empty()) {
        return;
    }
    out.margin(0);
    out.blank();
    out.heading("Only in " + name);
    out.margin(2);
    std::vector<TextRow> rows;
    for (const auto& want : wants) {
        rows.push_back({want.id, level_text(want), want_text(want)});
    }
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

void write_state(JsonWriter& json, std::string_view key, const Want& want) {
    json.open_object(key);
    if (key.empty()) {
        json.text("id", want.id);
    }
    json.text("value", want_text(want));
    json.text("level", word_of(want.level));
    json.text("from", place_text(want.place));
    json.close_object();
}

void write_only(JsonWriter& json, std::string_view key, const std::vector<Want>& wants) {
    json.open_array(key);
    for (const auto& want : wants) {
        write_state(json, "", want);
    }
    json.close_array();
}

}  // namespace

std::string render_profile_diff_human(const ProfileDiff& diff, Detail detail, Screen screen) {
    if (detail == Detail::quiet) {
        return "";
    }
    Document out;
    out.paragraph(head_text(diff));
    if (!diff.differ.empty()) {
        out.blank();
        out.heading("Different");
        out.margin(2);
        std::vector<TextRow> rows;
        for (const auto& pair : diff.differ) {
            add_change(pair, rows);
        }
        out.table(std::move(rows));
    }
    add_only(diff.a, diff.only_a, out);
    add_only(diff.b, diff.only_b, out);
    return out.text(screen);
}

std::string render_profile_diff_json(const ProfileDiff& diff) {
    JsonWriter json;
    json.open_object();
    json.text("schema", "rocenv.profile-diff/1");
    json.text("version", ROCENV_VERSION);
    json.text("a", diff.a);
    json.text("b", diff.b);
    json.boolean("equal", diff.equal());
    json.integer("alike", diff.alike);
    json.open_array("differ");
    for (const auto& pair : diff.differ) {
        json.open_object();
        json.text("id", pair.a.id);
        write_state(json, "a", pair.a);
        write_state(json, "b", pair.b);
        json.close_object();
    }
    json.close_array();
    write_only(json, "only_a", diff.only_a);
    write_only(json, "only_b", diff.only_b);
    json.close_object();
    return json.finish();
}

}  // namespace rocenv
