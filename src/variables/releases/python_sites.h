// SPDX-License-Identifier: MIT
// The folders Python packages are imported from, in the order in which Python would ask them.
#pragma once

#include <string>
#include <vector>

#include "rocenv/fs.h"
#include "rocenv/process.h"

namespace rocenv {

// Not all of them need to exist. Relative entries of the environment are left out.
std::vector<std::string> python_sites(const Fs& fs, const Process& process);

}  // namespace rocenv
