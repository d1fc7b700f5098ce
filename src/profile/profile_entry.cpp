// SPDX-License-Identifier: MIT
#include "profile/profile_entry.h"

#include <algorithm>
#include <array>

#include "machine/rdma/rdma.h"
#include "profile/profile.h"
#include "settings/registry.h"
#include "util/near_names.h"
#include "util/text.h"
#include "variables/environment.h"
#include "variables/inspection.h"
#include "variables/reading.h"
#include "variables/releases/versions.h"

namespace rocenv {

namespace {

constexpr ProfileKey key_rows[] = {
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
    {KeyOf::match, "nic",
     "A list of drivers of RDMA NICs, such as \"ionic\". Fails if the node has RDMA NICs and none "
     "has one of these drivers."},
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
    return key_rows;
}

std::vector<std::string> keys_of(KeyOf table) {
    std::vector<std::string> out;
    for (const auto& key : key_rows) {
        if (key.of == table) {
            out.emplace_back(key.name);
        }
    }
    return out;
}

namespace {

// Returns a hint about an id without quotes, whose dot is a table in a table in TOML.
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

bool is_module_name(std::string_view text) {
    return !text.empty() && text.find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == text.npos;
}

std::optional<std::uint32_t> device_id(const std::string& text) {
    const auto value = text.starts_with("0x") ? parse_number(text.substr(2), 16) : std::nullopt;
    return value && *value <= 0xffff ? std::optional(static_cast<std::uint32_t>(*value))
                                     : std::nullopt;
}

std::string device_id_error(const std::string& text) {
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

// Converts the value of a variable to text. A whole number becomes its digits.
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

// Checks must_exist. Only the program knows the folder of a value without one.
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
    const bool plain = entry.value && entry.value->text()->find("${") == std::string::npos;
    const auto why = plain ? misread_by_all(*variable, *entry.value->text()) : std::nullopt;
    if (why) {
        warn(entry.value->place, name + ": " + *why);
    }
}

namespace {

// Longest first: "<" starts "<=", too.
constexpr std::array<std::string_view, 5> operators{">=", "<=", ">", "<", "="};

struct Bound {
    std::string_view sign;
    std::string_view version;
};

std::optional<Bound> bound_of(std::string_view text) {
    for (const auto sign : operators) {
        if (text.starts_with(sign)) {
            const auto version = trim(text.substr(sign.size()));
            const bool good = version.find_first_not_of("0123456789.") == std::string_view::npos &&
                              compare_versions(version, "0");
            return good ? std::optional(Bound{sign, version}) : std::nullopt;
        }
    }
    return std::nullopt;
}

bool satisfies(int order, std::string_view sign) {
    return sign == ">="   ? order >= 0
           : sign == "<=" ? order <= 0
           : sign == ">"  ? order > 0
           : sign == "<"  ? order < 0
                          : order == 0;
}

bool are_bounds(std::string_view text) {
    const auto parts = split(text, ',');
    return std::all_of(parts.begin(), parts.end(),
                       [](std::string_view part) { return bound_of(trim(part)).has_value(); });
}

std::vector<std::string> known_keys() {
    std::vector<std::string> keys = keys_of(KeyOf::when);
    keys.insert(keys.end(), Versions::packages().begin(), Versions::packages().end());
    return keys;
}

// Calls `take` with each text of a list. Complains about other values.
template <class Take>
void each_text(const Value& value, std::string_view key, const Complaint& complain, Take take) {
    const ValueList* list = value.list();
    const bool good = list != nullptr && !list->empty() &&
                      std::all_of(list->begin(), list->end(),
                                  [](const Value& each) { return each.text() != nullptr; });
    if (!good) {
        complain(value.place, "when: " + std::string(key) + ": expected a list of texts");
        return;
    }
    for (const auto& each : *list) {
        take(*each.text(), each.place);
    }
}

void take_bounds(std::string& into, const std::string& key, const Value& value,
                 const Complaint& complain) {
    if (value.text() == nullptr || !are_bounds(*value.text())) {
        complain(value.place, "when: " + key + ": found " + printable(toml_text(value), 40) +
                                  ", expected text such as \">=2.6\" or \">=2.6,<2.9\"");
        return;
    }
    into = *value.text();
}

void take_key(When& when, const std::string& key, const Value& value, const Complaint& complain) {
    const auto& packages = Versions::packages();
    if (key == "gfx") {
        each_text(value, key, complain,
                  [&](const std::string& text, const Place&) { when.gfx.push_back(text); });
    } else if (key == "device") {
        each_text(value, key, complain, [&](const std::string& text, const Place& place) {
            const auto id = device_id(text);
            if (id) {
                when.devices.push_back(*id);
            } else {
                complain(place, device_id_error(text));
            }
        });
    } else if (key == "gpus") {
        take_bounds(when.gpus, key, value, complain);
    } else if (key == "module") {
        if (value.text() != nullptr && is_module_name(*value.text())) {
            when.module = *value.text();
        } else {
            complain(value.place, "when: module: expected the name of a kernel module");
        }
    } else if (key == "root") {
        if (value.boolean() != nullptr) {
            when.root = *value.boolean();
        } else {
            complain(value.place, "when: root: expected true or false");
        }
    } else if (std::find(packages.begin(), packages.end(), key) != packages.end()) {
        take_bounds(when.versions[key], key, value, complain);
    } else {
        complain(value.place, "unknown key " + in_quotes(key, 40) + " in when" +
                                  did_you_mean(near_names(key, known_keys())));
    }
}

}  // namespace

When parse_when(const Value& value, const Complaint& complain) {
    When when;
    if (value.table() == nullptr || value.table()->empty()) {
        complain(value.place, "when: expected a table such as { torch = \">=2.6\" }");
        return when;
    }
    for (const auto& [key, inner] : *value.table()) {
        take_key(when, key, inner, complain);
    }
    return when;
}

std::string when_text(const When& when) {
    std::vector<std::string> parts;
    for (const auto device : when.devices) {
        parts.push_back(hex(device, 4));
    }
    parts.insert(parts.end(), when.gfx.begin(), when.gfx.end());
    for (const auto& [package, bounds] : when.versions) {
        parts.push_back(package + " " + bounds);
    }
    if (!when.gpus.empty()) {
        parts.push_back("GPUs " + when.gpus);
    }
    if (!when.module.empty()) {
        parts.push_back("module " + when.module);
    }
    if (when.root) {
        parts.emplace_back(*when.root ? "run as root" : "not run as root");
    }
    return join(parts, ", ");
}

std::optional<bool> within(std::string_view version, std::string_view bounds) {
    bool inside = true;
    for (const auto part : split(bounds, ',')) {
        const auto bound = bound_of(trim(part));
        const auto order = bound ? compare_versions(version, bound->version) : std::nullopt;
        if (!order) {
            return std::nullopt;
        }
        inside = inside && satisfies(*order, bound->sign);
    }
    return inside;
}

bool ends(const When& when, std::string_view package) {
    const auto found = when.versions.find(std::string(package));
    return found != when.versions.end() && within("999999999", found->second) == false;
}

namespace {

// Returns true if the list of modules can be read and lacks the module.
bool lacks_module(const Machine& machine, const std::string& name) {
    const auto modules = loaded_modules(machine.fs());
    return modules && std::find(modules->begin(), modules->end(), name) == modules->end();
}

// Returns the first package that was found in another version.
std::optional<std::string> other_version(const When& when, const Versions& versions) {
    for (const auto& [package, bounds] : when.versions) {
        const auto found = versions.find(package);
        if (found && within(found->version, bounds) == false) {
            return package + " is " + found->version + ", not " + bounds;
        }
    }
    return std::nullopt;
}

}  // namespace

Condition condition_here(const Machine& machine, const Process& process, const Versions& versions) {
    return [&](const When& when) -> std::optional<std::string> {
        if (when.root && *when.root != process.is_root) {
            return process.is_root ? "rocenv runs as root" : "rocenv does not run as root";
        }
        if (!when.module.empty() && lacks_module(machine, when.module)) {
            return "the kernel module " + when.module + " is not loaded";
        }
        const bool of_gpus = when.of_setting && !(when.devices.empty() && when.gfx.empty());
        if (of_gpus && machine.gpus().empty() && !machine.gpus_uncertain()) {
            return "no AMD GPU is there";
        }
        if (auto why = mismatch({"", when.devices, when.gfx, {}, ""}, machine, process)) {
            return why;
        }
        const auto count = when.gpus.empty() || machine.kfd_uncertain() ? 0 : visible_gpus(machine);
        if (count > 0 && within(number(count), when.gpus) == false) {
            return "the number of GPUs is " + number(count) + ", not " + when.gpus;
        }
        return other_version(when, versions);
    };
}

}  // namespace rocenv
