// SPDX-License-Identifier: MIT
// What has fallen off the bus while the kernel still lists it.
#pragma once

#include <string>

#include "rocenv/machine.h"

namespace rocenv {

// Returns whether a function answers all ones; one that sleeps is not touched, and has not. A
// recording may lack the file, which then tells nothing.
Result<bool> has_fallen(const Machine& machine, const std::string& bdf);

}  // namespace rocenv
