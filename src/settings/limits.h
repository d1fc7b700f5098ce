// SPDX-License-Identifier: MIT
// What the limits.* settings share: a minimum in bytes (or files), or "unlimited".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocenv/setting.h"

namespace rocenv {

// Judges a limit of the asking process. Nullopt: could not be read.
Assessment assess_limit(std::optional<std::uint64_t> have, const Value& wanted,
                        const std::string& what);

// The one assessment every limit has on a machine that is not this one.
std::optional<Assessment> not_this_process(const Context& context);

}  // namespace rocenv
