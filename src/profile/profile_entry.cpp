// SPDX-License-Identifier: MIT
#include "profile/profile_entry.h"

#include "settings/registry.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/inspection.h"
#include "variables/reading.h"

namespace rocenv {

namespace {

constexpr ProfileKey keys[] = {
    {KeyOf::file, "profile", "The name of the profile, and the profiles that it extends."},
    {KeyOf::file, "match",
     "The nodes that the profile is for; without it all nodes. All lines must match, and so must "
     "those of each profile that is extended."},
    {KeyOf::file, "settings",
     "Expected values of settings: \"ID\" = VALUE, or a table with the keys of an entry. An id "
     "is written in quotes."},
    {KeyOf::file, "env", "Expected values of variables: NAME = TEXT, or a table."},
    {KeyOf::profile, "name", "The name for -p, which is also the name of the file."},
    {KeyOf::profile, "summary", "The sentence that profile list prints."},
    {KeyOf::profile, "extends", "A list of profiles that are merged first, left to right."},
    {KeyOf::profile, "also",
     "A list of lines on what is also needed and cannot be set by rocenv; profile show prints "
     "them at the end."},
    {KeyOf::profile, "auto", "false: auto never chooses the profile by its [match]."},
    {KeyOf::match, "device", "A list of PCI ids, such as \"0x74a1\"."},
    {KeyOf::match, "gfx", "A list of architectures, such as \"gfx942\"."},
    {KeyOf::match, "rocm", "The oldest ROCm, such as \">=6.2\"."},
    {KeyOf::entry, "value",
     "The expected value: a number, a text, or a word of the setting (\"recommended\", "
     "\"unlimited\", \">=6.3\"). Some settings have keys of their own instead: "
     "rocenv-settings(7) gives the form of each."},
    {KeyOf::entry, "unset", "true, for variables only: the variable must not be set."},
    {KeyOf::entry, "level", "\"required\", \"recommended\" or \"info\"."},
    {KeyOf::entry, "why",
     "One sentence on the effect on speed or safety; printed with the finding."},
    {KeyOf::entry, "source", "The document that says so, with its date."},
    {KeyOf::entry, "when",
     "A table of conditions. If one of them is known to fail, the entry is ignored."},
    {KeyOf::entry, "must_exist",
     "true, for variables only: the value is a path, and check, env and run report a missing "
     "file."},
    {KeyOf::when, "gfx", "A list of architectures. Fails if the node has a GPU of another kind."},
    {KeyOf::when, "device", "A list of PCI ids. Fails if the node has a GPU of another kind."},
    {KeyOf::when, "gpus", "Bounds of the number of GPUs or partitions that programs see, \">=2\"."},
    {KeyOf::when, "module", "The name of a kernel module. Fails if it is not loaded."},
    {KeyOf::when, "root", "true or false: whether rocenv runs as root."},
    {KeyOf::waiver, "id", "A setting's id, or a glob."},
    {KeyOf::waiver, "target",
     "Optional: a bus address, a unique id of a GPU (16 hex digits), system or process."},
    {KeyOf::waiver, "nodes", "Optional: a list of names or globs; with --node that name."},
    {KeyOf::waiver, "until", "The last day, such as 2027-01-31."},
    {KeyOf::waiver, "ticket", "The ticket of the fault; printed with the finding."},
    {KeyOf::waiver, "why", "Why the site accepts the fault."},
};

}  // namespace

std::span<const ProfileKey> profile_keys() {
    return keys;
}

std::vector<std::string> keys_of(KeyOf place) {
    std::vector<std::string> out;
    for (const auto& key : keys) {
        if (key.of == place) {
            out.emplace_back(key.name);
        }
    }
    return out;
}

namespace {

// Without quotes TOML takes the dot of an id for a table in a table.
std::string hint(const std::string& id, const Value& value) {
    for (const auto& [key, inner] : value.table() != nullptr ? *value.table() : ValueTable()) {
        const std::string whole = id + "." + key;
        if (find_setting(whole) != nullptr) {
            return ". Write the id in quotes: \"" + whole + "\"";
        }
    }
    return did_you_mean(near_names(id, known_ids()));
}

ProfileEntry start_entry(std::string id, Place place) {
    ProfileEntry entry;
    entry.id = std::move(id);
    entry.place = std::move(place);
    return entry;
}

}  // namespace

std::optional<std::uint32_t> device_id(const std::string& text) {
    const auto value = text.starts_with("0x") ? parse_number(text.substr(2), 16) : std::nullopt;
    return value && *value <= 0xffff ? std::optional(static_cast<std::uint32_t>(*value))
                                     : std::nullopt;
}

std::string not_a_device(const std::string& text) {
    return "found " + in_quotes(text, 40) + ", expected a PCI id such as \"0x74a1\"";
}

void EntryReader::fail(Place place, std::string text) {
    diagnostics.push_back({true, std::move(place), std::move(text), false});
}

void EntryReader::warn(Place place, std::string text) {
    diagnostics.push_back({false, std::move(place), std::move(text), false});
}

std::optional<ProfileEntry> EntryReader::setting_entry(const std::string& id, Value value,
                                                       const Place& place) {
    const Setting* setting = find_setting(id);
    if (setting == nullptr || setting->info.id == "env.") {
        fail(place, "unknown setting " + in_quotes(id, 60) + hint(id, value));
        return std::nullopt;
    }
    ProfileEntry entry = start_entry(id, place);
    if (!take_entry(entry, std::move(value))) {
        return std::nullopt;
    }
    if (entry.value) {
        if (const auto wrong = check_form(*entry.value, setting->info.forms)) {
            fail(wrong->place.line != 0 ? wrong->place : place, id + ": " + wrong->text);
            return std::nullopt;
        }
    }
    return entry;
}

std::optional<ProfileEntry> EntryReader::variable_entry(const std::string& name, Value value,
                                                        const Place& place) {
    if (name.empty() || name.find_first_of("=\0") != std::string::npos || !is_plain(name) ||
        name.find(' ') != std::string::npos) {
        fail(place, in_quotes(name, 60) + " is not a valid name of a variable");
        return std::nullopt;
    }
    ProfileEntry entry = start_entry("env." + name, place);
    if (!take_entry(entry, std::move(value)) || !take_text(entry) || !take_path(entry)) {
        return std::nullopt;
    }
    warn_of_variable(name, entry);
    return entry;
}

// Splits a table form into what all entries share and the value.
bool EntryReader::take_entry(ProfileEntry& entry, Value value) {
    if (value.table() == nullptr) {
        entry.bare = true;
        entry.value = std::move(value);
        return true;
    }
    ValueTable rest = *value.table();
    for (const auto& key : keys_of(KeyOf::entry)) {
        const auto found = rest.find(key);
        if (found != rest.end()) {
            if (!take_key(entry, key, found->second)) {
                return false;
            }
            rest.erase(found);
        }
    }
    if (entry.unset && (entry.value || !rest.empty())) {
        fail(entry.place, "a value and unset = true exclude each other");
        return false;
    }
    if (!rest.empty() && entry.value) {
        const auto& [name, extra] = *rest.begin();
        fail(extra.place, "unknown key " + in_quotes(name, 40) + " beside value" +
                              did_you_mean(near_names(name, keys_of(KeyOf::entry))));
        return false;
    }
    if (!rest.empty()) {
        value.data = std::move(rest);
        entry.value = std::move(value);
    }
    return true;
}

bool EntryReader::take_key(ProfileEntry& entry, std::string_view key, const Value& value) {
    if (key == "value") {
        entry.value = value;
        return true;
    }
    if (key == "unset" || key == "must_exist") {
        return take_flag(entry, key, value);
    }
    if (key == "when") {
        return take_condition(entry, value);
    }
    if (value.text() == nullptr) {
        fail(value.place, std::string(key) + ": expected text");
        return false;
    }
    if (key == "why") {
        entry.why = *value.text();
    } else if (key == "source") {
        entry.source = *value.text();
    } else {
        entry.level = value_of<Level>(*value.text());
        if (!entry.level) {
            const std::string& given = *value.text();
            fail(value.place, "level: found " + in_quotes(given, 40) +
                                  ", expected \"required\", \"recommended\" or \"info\"" +
                                  did_you_mean(near_names(given, words_of<Level>())));
            return false;
        }
    }
    return true;
}

bool EntryReader::take_flag(ProfileEntry& entry, std::string_view key, const Value& value) {
    if (value.boolean() == nullptr || !*value.boolean() || !entry.id.starts_with("env.")) {
        fail(value.place, std::string(key) + " = true is valid for variables only");
        return false;
    }
    (key == "unset" ? entry.unset : entry.must_exist) = true;
    return true;
}

bool EntryReader::take_condition(ProfileEntry& entry, const Value& value) {
    bool good = true;
    entry.when = parse_when(value, [&](const Place& place, std::string text) {
        good = false;
        fail(place, std::move(text));
    });
    entry.when->of_setting = !entry.id.starts_with("env.");
    return good;
}

// A variable's value is text; a whole number is taken as its text.
bool EntryReader::take_text(ProfileEntry& entry) {
    if (!entry.value || entry.value->text() != nullptr) {
        return true;
    }
    if (const auto* whole = entry.value->integer()) {
        entry.value->data = number(*whole);
        return true;
    }
    const std::string name = entry.id.substr(4);
    const std::string found =
        is_secret_name(name) ? "" : "found " + printable(toml_text(*entry.value), 40) + ", ";
    fail(entry.value->place,
         name + ": " + found + "expected text (the environment holds text only)");
    return false;
}

// Where a name without a folder would be looked for only its reader knows.
bool EntryReader::take_path(ProfileEntry& entry) {
    const bool checkable = entry.value && (entry.value->text()->starts_with('/') ||
                                           entry.value->text()->starts_with("${"));
    if (!entry.must_exist || checkable) {
        return true;
    }
    fail(entry.place, "must_exist = true needs a value that is an absolute path");
    return false;
}

void EntryReader::warn_of_variable(const std::string& name, const ProfileEntry& entry) {
    const auto variable = find_variable(name);
    if (!variable) {
        if (const auto why = unknown_name(name)) {
            warn(entry.place, name + ": " + *why);
        }
        return;
    }
    const bool for_old_ones = entry.when && ends(*entry.when, variable->package);
    if (variable->status == "removed" && !entry.unset && !for_old_ones) {
        warn(entry.place, name + ": no program reads this variable " +
                              (variable->until.empty() ? "any more"
                                                       : "since " + std::string(variable->package) +
                                                             " " + std::string(variable->until)) +
                              (variable->renamed.empty()
                                   ? ""
                                   : ", and its new name is " + std::string(variable->renamed)));
    }
    const Parser* parser = find_parser(variable->parser);
    const bool plain = entry.value && entry.value->text()->find("${") == std::string::npos;
    if (parser != nullptr && plain) {
        const std::string& text = *entry.value->text();
        if (const auto why =
                misreading(variable->type, *parser, {text, std::nullopt, variable->values})) {
            warn(entry.value->place, name + ": " + misreading_of(variable->reader, *why));
        }
    }
}

}  // namespace rocenv
