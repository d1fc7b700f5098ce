// SPDX-License-Identifier: MIT
// FNV-1a, 64 bits: tells texts apart that nobody made to be taken for each other.
#pragma once

#include <cstdint>
#include <string_view>

namespace rocenv {

constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t sum = 14695981039346656037U;
    for (const char byte : text) {
        sum = (sum ^ static_cast<unsigned char>(byte)) * 1099511628211U;
    }
    return sum;
}

}  // namespace rocenv
