// SPDX-License-Identifier: MIT
// What profiles came to on a machine, by itself: a number that tells whether two reports were
// judged by the same, and a profile that says the same wherever it is taken.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace rocenv {

// 16 hex digits of what is wanted at which level; reasons and sources do not count.
std::string profile_digest(const Resolved& profile);

// TOML of one profile that extends nothing, has no conditions and comes to the same digest.
std::string pinned_text(const Resolved& profile);

// An entry as TOML writes it on one line, `{ value = 0, level = "required", why = "…" }`. Empty
// texts are left out.
std::string entry_text(const Want& want);

}  // namespace rocenv
