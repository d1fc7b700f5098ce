// SPDX-License-Identifier: MIT
// One entry of [settings] or [env], checked against the registry and the readers of variables.
// Knows nothing of TOML: values come as Value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace rocenv {

// "0x74a1" as a number; nothing: it is no PCI device id.
std::optional<std::uint32_t> device_id(const std::string& text);
std::string not_a_device(const std::string& text);

class EntryReader {
   public:
    // Nothing when the entry is no good; why is in `diagnostics`.
    std::optional<ProfileEntry> setting_entry(const std::string& id, Value value,
                                              const Place& place);
    std::optional<ProfileEntry> variable_entry(const std::string& name, Value value,
                                               const Place& place);

    void fail(Place place, std::string text);
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

}  // namespace rocenv
