// SPDX-License-Identifier: MIT
// What of a variable's value may be shown to whoever reads a report. Values of secrets are never
// shown at all (is_secret in variables/catalogue.h).
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// The value without passwords of addresses: "https://user:word@host/x" is "https://***@host/x".
std::string without_passwords(std::string_view value);

}  // namespace rocenv
