// SPDX-License-Identifier: MIT
// The time of a report, "2026-11-20T19:31:00Z", which sorts as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

// The time without fractions of its second: "2026-11-20T19:31:00Z" of "2026-11-20T19:31:00.123Z".
std::string whole_seconds(std::string_view time);

// Seconds since 1970; nothing for a text of another form.
std::optional<std::int64_t> seconds_of_time(std::string_view time);

// "2026-11-20" of seconds since 1970.
std::string date_of_seconds(std::int64_t seconds);

// "90s", "15m", "24h", "7d" in seconds; nothing for anything else.
std::optional<std::int64_t> seconds_of_age(std::string_view age);

}  // namespace rocenv
