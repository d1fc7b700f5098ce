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

// The keys that profiles, a site's file and files of waivers share, with their meaning; the manual
// lists these. Not listed are the packages in `when` (Versions::packages()), a setting's own keys,
// and the name [[waiver]].

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

// The entries below are independent of TOML: values are of type Value.

// Returns whether the text is one or more ASCII letters, digits and "_", as a module's name in
// /proc/modules. A driver's name with "-" (vfio-pci) is rejected.
bool is_module_name(std::string_view text);

// Returns the number of a text "0x" and hex digits, at most 0xffff. std::nullopt for other texts,
// also without the prefix or with "0X".
std::optional<std::uint32_t> device_id(const std::string& text);
// Returns the error for a text that is not a PCI device id: "found …, expected …".
std::string device_id_error(const std::string& text);

// Reader of entries, which collects diagnostics.
class EntryReader {
   public:
    // Returns the entry of a setting. std::nullopt if the setting is unknown or the value is not
    // in one of its forms; an error is then in `diagnostics`. `place` is the location of the key.
    std::optional<ProfileEntry> setting_entry(const std::string& id, Value value,
                                              const Place& place);
    // Returns the entry of a variable; its value is text (whole numbers become digits). An invalid
    // name or value gives std::nullopt and an error. Adds a warning if unknown_name() has a reason
    // against the name, if no program reads it any more, or if every reader misreads the value.
    std::optional<ProfileEntry> variable_entry(const std::string& name, Value value,
                                               const Place& place);

    // Adds an error.
    void fail(Place place, std::string text);
    // Adds a warning.
    void warn(Place place, std::string text);

    std::vector<Diagnostic> diagnostics;

   private:
    // Read or check a part of an entry. Return false after fail().
    bool take_entry(ProfileEntry& entry, Value value);
    bool take_key(ProfileEntry& entry, std::string_view key, const Value& value);
    bool take_condition(ProfileEntry& entry, const Value& value);
    bool take_flag(ProfileEntry& entry, std::string_view key, const Value& value);
    bool take_text(ProfileEntry& entry);
    bool take_path(ProfileEntry& entry);
    void warn_of_variable(const std::string& name, const ProfileEntry& entry);
};

// TOML as plain values, for files other than profiles. The limits are those of ProfileLimits for
// one file. Implemented in profile_file.cpp, the only user of toml++.
struct TomlFile {
    ValueTable values;  // a date is a list with its text, a time or date-time {"a time"}
    std::optional<Diagnostic> fault;
};
// Parses a text without checking its keys. `file` names it in the diagnostic; the values are empty
// if there is a fault.
TomlFile read_toml(const std::string& file, std::string_view text);

}  // namespace rocenv
