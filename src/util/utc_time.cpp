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
    if (!date.ok() || part(11, 2) > 23 || part(14, 2) > 59 || part(17, 2) > 59) {
        return std::nullopt;
    }
    const auto day = std::chrono::sys_days(date).time_since_epoch();
    return std::chrono::seconds(day).count() + part(11, 2) * 3600 + part(14, 2) * 60 + part(17, 2);
}

}  // namespace rocenv
