// SPDX-License-Identifier: MIT
#include "profile/diff/profile_diff.h"

#include <map>

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

}  // namespace rocenv
