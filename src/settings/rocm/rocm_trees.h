// SPDX-License-Identifier: MIT
// What settings about ROCm say alike of the trees that were found
// (variables/releases/versions.h).
#pragma once

#include <string>

#include "rocenv/setting.h"
#include "variables/releases/versions.h"

namespace rocenv {

// ROCm is here, but none counts: unknown, and how to name one.
Assessment none_counts_for(const RocmLayouts& layouts, std::string want);

}  // namespace rocenv
