// SPDX-License-Identifier: MIT
// Speed and width of a PCIe link, and the text "32.0 GT/s x16" for both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

constexpr std::uint64_t most_lanes = 32;  // PCI Express Base Specification, link capabilities

struct PcieLink {
    std::uint64_t speed = 0;  // tenths of GT/s; 0: unknown
    std::uint64_t width = 0;  // lanes; 0: unknown
};

// Returns the tenths of GT/s in "32.0 GT/s PCIe" or "8 GT/s" (older kernels); 0 for "Unknown" and
// "Unknown speed"; nothing: it is no speed.
std::optional<std::uint64_t> link_speed_of(std::string_view text);

// "32.0 GT/s x16".
std::string link_text(const PcieLink& link);
// The link that such a text states, with both of them known; nothing: it is none.
std::optional<PcieLink> parse_link(std::string_view text);

// Whether a link carries as much as another, by speed and by width.
bool reaches(const PcieLink& link, const PcieLink& other);

}  // namespace rocenv
