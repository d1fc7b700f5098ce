// SPDX-License-Identifier: MIT
// What of a variable's value may be shown to whoever reads a report.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// Returns whether a variable's value is never shown: the catalogue calls it a secret, or does not
// know it and its name ends as those of secrets do (MY_API_KEY).
bool is_secret_name(std::string_view name);

// The value without passwords of addresses: "https://user:word@host/x" is "https://***@host/x".
std::string without_passwords(std::string_view value);

}  // namespace rocenv
