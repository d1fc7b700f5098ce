// SPDX-License-Identifier: MIT
// Speed and width of a PCIe link, and the text "32.0 GT/s x16" for both.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rocenv {

constexpr std::uint64_t most_lanes = 32;  // PCI Express Base Specification, link capabilities

// The speed and width of one link.
struct PcieLink {
    std::uint64_t speed = 0;  // tenths of GT/s; 0: unknown
    std::uint64_t width = 0;  // lanes; 0: unknown
};

// Returns the tenths of GT/s in "32.0 GT/s PCIe" or "8 GT/s" (older kernels). Returns 0 for a text
// that begins with "Unknown", and std::nullopt if the text is not a speed below 1000 GT/s with at
// most one decimal.
std::optional<std::uint64_t> link_speed_of(std::string_view text);

// Returns "32.0 GT/s x16"; an unknown value is shown as 0.
std::string link_text(const PcieLink& link);
// Returns the link of exactly such a text, with both values above 0 and at most most_lanes;
// std::nullopt for other texts.
std::optional<PcieLink> parse_link(std::string_view text);

// Returns true if a link has at least the speed and the width of another.
bool reaches(const PcieLink& link, const PcieLink& other);

}  // namespace rocenv
