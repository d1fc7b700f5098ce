// SPDX-License-Identifier: MIT
// Values to ask a setting with when nobody wants anything in particular.
#pragma once

#include <vector>

#include "rocenv/value.h"

namespace rocenv {

// Values of a form that together make a setting read all it could read: every word, both ends of a
// range, a text no machine has, so that a setting also reads what it explains a difference with.
std::vector<Value> wishes(const Form& form);

}  // namespace rocenv
