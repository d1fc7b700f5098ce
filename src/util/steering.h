// SPDX-License-Identifier: MIT
// Which characters steer a terminal instead of showing anything.
#pragma once

#include <string_view>

namespace rocenv {

// Returns whether a UTF-8 sequence of two or three bytes is a C1 control, a mark or override of the
// writing direction, or a line or paragraph separator.
bool is_steering(std::string_view sequence);

}  // namespace rocenv
