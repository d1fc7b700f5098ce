// SPDX-License-Identifier: MIT
// The times in our reports, read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rocenv {

// The seconds since 1970 of "2026-11-20T19:31:00Z", to the letter, which must name a day there is;
// nothing for any other text.
std::optional<std::int64_t> utc_seconds(std::string_view time);

}  // namespace rocenv
