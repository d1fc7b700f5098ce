// SPDX-License-Identifier: MIT
// Numbers with a point as text, for the few that are printed. std::to_chars for double would do the
// same and brings tables of 100 KiB along.
#pragma once

#include <string>

namespace rocenv {

// Returns the number with at most `digits` (1 to 17) that count, as %g: "0.0123", "1.5e+09".
std::string decimal(double value, int digits);

// Returns the shortest text that reads back as the same number, without an exponent where that is
// no longer; "inf" and "nan" as they are.
std::string shortest_decimal(double value);

}  // namespace rocenv
