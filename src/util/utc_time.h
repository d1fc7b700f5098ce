// SPDX-License-Identifier: MIT
// Times of reports as text: "2026-11-20T19:31:00Z", which sorts by time; dates and ages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

// Returns the seconds since 1970 of a time of exactly the form "2026-11-20T19:31:00Z" on an
// existing day (a leap second ends in ":60"); std::nullopt for any other text.
std::optional<std::int64_t> utc_seconds(std::string_view time);

// Returns the time without the fraction of a second: "2026-11-20T19:31:00Z" for
// "2026-11-20T19:31:00.123Z". Other texts are returned unchanged.
std::string whole_seconds(std::string_view time);

// Returns the date in UTC of the seconds since 1970: "2026-11-20".
std::string date_of_seconds(std::int64_t seconds);

// Returns an age ("90s", "15m", "24h", "7d") in seconds; std::nullopt for any other text, and above
// 1,000,000 of a unit.
std::optional<std::int64_t> seconds_of_age(std::string_view age);

}  // namespace rocenv
