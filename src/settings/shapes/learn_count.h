// SPDX-License-Identifier: MIT
// What a learned profile wants of a setting that counts devices.
#pragma once

#include <optional>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// Returns the number that is there, where "consistent" finds nothing wrong; else "consistent",
// since a number would hide that a device is lost.
std::optional<std::vector<Value>> learn_count(const Setting& setting, const Context& context);

}  // namespace rocenv
