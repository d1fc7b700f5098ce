// SPDX-License-Identifier: MIT
// How many names a TOML file of ours may join by dots, less one. They are counted without telling
// texts from names, so that a text with more dots is written with the rest of them escaped.
#pragma once

#include <cstddef>

namespace rocenv {

constexpr std::size_t most_joined_dots = 100;

}  // namespace rocenv
