// SPDX-License-Identifier: MIT
// Which tier runs the tests (tests/README.md), for those that take a sample but in the full one.
#pragma once

#include <cstdlib>
#include <string_view>

namespace rocenv {

// Whether this is scripts/test --full.
inline bool in_full_tier() {
    const char* tier = std::getenv("ROCENV_TIER");
    return tier != nullptr && std::string_view(tier) == "full";
}

}  // namespace rocenv
