// SPDX-License-Identifier: MIT
// The keys of a profile, a site's file and a file of waivers. Entries of [settings] and [env],
// checked against the registry and the readers of variables.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace rocenv {

// Every key that a profile, a site's file or a file of waivers may have, with its meaning. The
// readers of these files accept no other keys, and the manual lists these.

// Location of a key.
enum class KeyOf { file, profile, match, entry, when, waiver };

// A key and its meaning.
struct ProfileKey {
    KeyOf of;
    std::string_view name;
    std::string_view means;  // one sentence
};

// Returns all keys, in the order in which a person would write them.
std::span<const ProfileKey> profile_keys();

// Returns the keys of one location, in that order.
std::vector<std::string> keys_of(KeyOf table);

// Entries of [settings] or [env], checked against the registry and the readers of variables.
// Independent of TOML: values are of type Value.

// Returns whether the text can be the name of a kernel module or of a driver.
bool is_module_name(std::string_view text);

// Returns "0x74a1" as a number, or std::nullopt if the text is not a PCI device id.
std::optional<std::uint32_t> device_id(const std::string& text);
// Returns the error for a text that is not a PCI device id: "found …, expected …".
std::string device_id_error(const std::string& text);

// Reader of entries, which collects diagnostics.
class EntryReader {
   public:
    // Returns the entry of a setting; std::nullopt if invalid, with the reason in `diagnostics`.
    std::optional<ProfileEntry> setting_entry(const std::string& id, Value value,
                                              const Place& place);
    // Returns the entry of a variable, like setting_entry().
    std::optional<ProfileEntry> variable_entry(const std::string& name, Value value,
                                               const Place& place);

    // Adds an error.
    void fail(Place place, std::string text);
    // Adds a warning.
    void warn(Place place, std::string text);

    std::vector<Diagnostic> diagnostics;

   private:
    bool take_entry(ProfileEntry& entry, Value value);
    bool take_key(ProfileEntry& entry, std::string_view key, const Value& value);
    bool take_condition(ProfileEntry& entry, const Value& value);
    bool take_flag(ProfileEntry& entry, std::string_view key, const Value& value);
    bool take_text(ProfileEntry& entry);
    bool take_path(ProfileEntry& entry);
    void warn_of_variable(const std::string& name, const ProfileEntry& entry);
};

// TOML as plain values, for files other than profiles, with the limits of a profile's file.
// Implemented in profile_file.cpp, the only user of toml++.
struct TomlFile {
    ValueTable values;  // a date is a list with its text, as in a profile
    std::optional<Diagnostic> fault;
};
// Parses a text. `file` names it in the diagnostic; the values are empty if there is a fault.
TomlFile read_toml(const std::string& file, std::string_view text);

}  // namespace rocenv
