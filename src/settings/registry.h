// SPDX-License-Identifier: MIT
// The registry of settings, in the order of reading, reporting and writing. The order matters; see
// src/settings/registry.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Returns every setting, in the order of reading, reporting and writing.
std::span<const Setting* const> all_settings();

// Returns the setting of an id; "env.ANY_NAME" belongs to the family "env.". Returns nullptr for an
// unknown id and for "env." itself.
const Setting* find_setting(std::string_view id);

// Returns the position of an id's setting in all_settings(); for an unknown id their number.
std::size_t rank_of(std::string_view id);

// Returns the former settings whose ids a journal may still contain; none so far.
std::span<const Retired> retired_settings();

// Returns all ids in the order of all_settings(), for "did you mean"; the family as
// "env.HIP_FORCE_DEV_KERNARG".
std::vector<std::string> known_ids();

// Returns true if an --only or --skip pattern (an id, or a glob such as "gpu.*") can match a
// setting.
bool matches_any_setting(std::string_view pattern);

}  // namespace rocenv
