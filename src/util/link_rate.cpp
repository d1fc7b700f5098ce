// SPDX-License-Identifier: MIT
#include "util/link_rate.h"

#include "util/text.h"

namespace rocenv {

std::optional<std::uint64_t> link_speed_of(std::string_view text) {
    if (text.starts_with("Unknown")) {
        return 0;
    }
    const auto parts = words(text);
    if (parts.size() < 2 || parts[1] != "GT/s") {
        return std::nullopt;
    }
    const auto point = parts[0].find('.');
    const auto whole = parse_number(parts[0].substr(0, point));
    const auto tenths =
        point == std::string_view::npos ? 0 : parse_number(parts[0].substr(point + 1));
    if (!whole || !tenths || *whole > 999 || *tenths > 9) {
        return std::nullopt;
    }
    return *whole * 10 + *tenths;
}

std::string link_text(const PcieLink& link) {
    return number(link.speed / 10) + "." + number(link.speed % 10) + " GT/s x" + number(link.width);
}

std::optional<PcieLink> parse_link(std::string_view text) {
    const auto width_at = text.rfind(" x");
    const auto width =
        width_at == std::string_view::npos ? std::nullopt : parse_number(text.substr(width_at + 2));
    const auto speed = width ? link_speed_of(text.substr(0, width_at)) : std::nullopt;
    if (!speed || *speed == 0 || *width == 0 || *width > most_lanes) {
        return std::nullopt;
    }
    const PcieLink link{*speed, *width};
    return link_text(link) == text ? std::optional(link) : std::nullopt;
}

bool reaches(const PcieLink& link, const PcieLink& other) {
    return link.speed >= other.speed && link.width >= other.width;
}

}  // namespace rocenv
