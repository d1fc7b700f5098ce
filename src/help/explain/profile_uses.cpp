// SPDX-License-Identifier: MIT
#include "help/explain/profile_uses.h"

#include <algorithm>

#include "profile/builtin_profiles.h"
#include "profile/profile_image.h"
#include "util/credentials.h"
#include "variables/environment.h"

namespace rocenv {

namespace {

// Of a person's own there may be any number.
constexpr std::size_t most_profiles = 1000;
constexpr std::size_t most_bytes = std::size_t{2} << 20;

// As a profile writes it; of a secret, no more than that.
std::string value_of(const Want& want) {
    constexpr std::string_view family = "env.";
    if (want.unset) {
        return "unset";
    }
    if (!want.id.starts_with(family)) {
        return toml_text(want.value);
    }
    return is_secret_name(std::string_view(want.id).substr(family.size()))
               ? "a secret"
               : value_without_credentials(plain_text(want.value));
}

void add_use(const Want& want, const std::string& profile, std::vector<ProfileUse>& uses) {
    const std::string value = value_of(want);
    auto like = std::find_if(uses.begin(), uses.end(), [&](const ProfileUse& each) {
        return each.value == value && each.is_unset == want.unset && each.level == want.level &&
               each.when == want.when;
    });
    if (like == uses.end()) {
        like = uses.insert(like, {value, want.unset, want.level, want.when, {}});
    }
    like->profiles.push_back(profile);
}

}  // namespace

Result<ProfileText> ProfileUses::find(const std::string& name, const std::string& id) const {
    const auto shipped =
        std::find_if(builtin_profiles.begin(), builtin_profiles.end(),
                     [&](const BuiltinProfile& each) { return each.name == name; });
    return whole_ || shipped == builtin_profiles.end() || store_.overrides(name)
               ? store_.find(name)
               : profile_in(shipped->image, name, id);
}

const std::map<std::string, ProfileUses::Read>& ProfileUses::all(const std::string& id) {
    if (id_ && (whole_ || *id_ == id)) {
        return read_;
    }
    id_ = id;
    read_.clear();
    std::size_t bytes = 0;
    for (const auto& name : store_.names()) {
        auto profile = find(name, id);
        bytes += profile ? profile->bytes : 0;
        if (read_.size() >= most_profiles || bytes > most_bytes) {
            break;
        }
        if (profile) {
            Read& read = read_[name];
            read.extends = profile->extends;
            for (const auto& entry : profile->entries) {
                read.entries.emplace(entry.id, entry);
            }
        }
    }
    return read_;
}

// As profiles are resolved: parents first, each once.
void ProfileUses::visit(const std::string& profile, const std::string& id,
                        std::set<std::string>& seen, Want& want) {
    const auto found = read_.find(profile);
    if (found == read_.end() || seen.size() > ProfileLimits::profiles ||
        !seen.insert(profile).second) {
        return;
    }
    for (const auto& parent : found->second.extends) {
        visit(parent, id, seen, want);
    }
    const auto entry = found->second.entries.find(id);
    if (entry != found->second.entries.end()) {
        take_entry(entry->second, want);
    }
}

std::optional<Want> ProfileUses::want_of(const std::string& profile, const std::string& id) {
    all(id);
    Want want;
    std::set<std::string> seen;
    visit(profile, id, seen, want);
    return want.id.empty() ? std::nullopt : std::optional(std::move(want));
}

std::vector<ProfileUse> ProfileUses::of(const std::string& id) {
    std::vector<ProfileUse> uses;
    for (const auto& [name, read] : all(id)) {
        if (const auto want = want_of(name, id)) {
            add_use(*want, name, uses);
        }
    }
    std::stable_sort(uses.begin(), uses.end(), [](const ProfileUse& a, const ProfileUse& b) {
        return a.level != b.level ? a.level > b.level : a.profiles.size() > b.profiles.size();
    });
    return uses;
}

std::vector<std::string> ProfileUses::extending(const std::string& name) {
    std::vector<std::string> out;
    for (const auto& [child, read] : all(id_.value_or(""))) {
        if (std::find(read.extends.begin(), read.extends.end(), name) != read.extends.end()) {
            out.push_back(child);
        }
    }
    return out;
}

}  // namespace rocenv
