// SPDX-License-Identifier: MIT
// What has fallen off the bus while the kernel still lists it, and what is not even listed.
#pragma once

#include <set>
#include <string>

#include "rocenv/setting.h"

namespace rocenv {

// Returns whether a function answers all ones; one that sleeps is not touched, and has not. A
// recording may lack the file, which then tells nothing.
Result<bool> has_fallen(const Machine& machine, const std::string& bdf);

// Returns the devices that the site waives and that neither PCI nor KFD lists: nobody knows what
// was there, or whether anything ever was. So they excuse no more than what is missing beside all
// that is known.
std::set<std::string> waived_and_gone(const Context& context);

}  // namespace rocenv
