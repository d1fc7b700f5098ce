// SPDX-License-Identifier: MIT
// How much is printed, and whether in colour.
#pragma once

namespace rocenv {

// quiet: what is wrong alone; normal: what is worth a line; everything: -v.
enum class Detail { quiet, normal, everything };
enum class Colour { no, yes };

}  // namespace rocenv
