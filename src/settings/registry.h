// SPDX-License-Identifier: MIT
// Every setting, in the order they are read, reported and (later) written. The order is meaning:
// see src/settings/registry.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Returns every setting, in the order of reading, reporting and writing.
std::span<const Setting* const> all_settings();

// The setting an id belongs to; "env.ANY_NAME" leads to the family "env.". nullptr: no such id.
const Setting* find_setting(std::string_view id);

// Returns the position of an id's setting in all_settings(); their number for an unknown id.
std::size_t rank_of(std::string_view id);

// Ids that are no longer settings and may still stand in a journal.
std::span<const Retired> retired_settings();

// All ids, for "did you mean"; the family as "env.HIP_FORCE_DEV_KERNARG".
std::vector<std::string> known_ids();

// Whether an --only or --skip pattern (an id, or a glob such as "gpu.*") can match any setting.
bool matches_any_setting(std::string_view pattern);

}  // namespace rocenv
