// SPDX-License-Identifier: MIT
// What of a variable's value may be shown to whoever reads a report.
#pragma once

#include <string_view>

namespace rocenv {

// Returns whether a variable's value is never shown: the catalogue calls it a secret, or does not
// know it and its name ends as those of secrets do (MY_API_KEY, password).
bool is_secret_name(std::string_view name);

}  // namespace rocenv
