// SPDX-License-Identifier: MIT
#include "util/utc_time.h"

#include <chrono>

#include "util/text.h"

namespace rocenv {

std::optional<std::int64_t> utc_seconds(std::string_view time) {
    constexpr std::string_view form = "0000-00-00T00:00:00Z";
    if (time.size() != form.size()) {
        return std::nullopt;
    }
    for (std::size_t at = 0; at < form.size(); ++at) {
        const bool digit = time[at] >= '0' && time[at] <= '9';
        if (form[at] == '0' ? !digit : time[at] != form[at]) {
            return std::nullopt;
        }
    }
    const auto part = [&](std::size_t at, std::size_t length) {
        return static_cast<unsigned>(parse_number(time.substr(at, length)).value_or(0));
    };
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(part(0, 4))),
                                           std::chrono::month(part(5, 2)),
                                           std::chrono::day(part(8, 2))};
    if (!date.ok() || part(11, 2) > 23 || part(14, 2) > 59 || part(17, 2) > 60) {
        return std::nullopt;
    }
    const auto day = std::chrono::sys_days(date).time_since_epoch();
    return std::chrono::seconds(day).count() + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2);
}

std::string whole_seconds(std::string_view time) {
    constexpr std::size_t whole = std::string_view("2026-11-20T19:31:00").size();
    const auto end = time.find_first_not_of("0123456789", whole + 1);
    const bool has_fraction =
        time.size() > whole + 2 && time[whole] == '.' && end == time.size() - 1 && time[end] == 'Z';
    return has_fraction ? std::string(time.substr(0, whole)) + "Z" : std::string(time);
}

std::string date_of_seconds(std::int64_t seconds) {
    const auto since = std::chrono::sys_seconds(std::chrono::seconds(seconds));
    const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(since));
    const auto two = [](unsigned part) { return (part < 10 ? "-0" : "-") + number(part); };
    return number(static_cast<int>(day.year())) + two(static_cast<unsigned>(day.month())) +
           two(static_cast<unsigned>(day.day()));
}

std::optional<std::int64_t> seconds_of_age(std::string_view age) {
    constexpr std::string_view units = "smhd";
    constexpr std::int64_t seconds[] = {1, 60, 3600, 86400};
    constexpr std::uint64_t most = 1000000;
    const auto unit = age.empty() ? units.npos : units.find(age.back());
    const auto count =
        unit == units.npos ? std::nullopt : parse_number(age.substr(0, age.size() - 1));
    if (!count || *count > most) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(*count) * seconds[unit];
}

}  // namespace rocenv
