// SPDX-License-Identifier: MIT
// What only the commands on TunableOp files ask for.
#pragma once

#include <string>
#include <vector>

namespace rocenv {

struct TunableOptions {
    std::vector<std::string> files;
    std::vector<std::string> assume;  // NAME=VERSION, over what is installed
};

}  // namespace rocenv
