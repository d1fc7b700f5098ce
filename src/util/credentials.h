// SPDX-License-Identifier: MIT
// Texts without what opens something: users and passwords in addresses, values of queries.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// Returns the text with "***" for the user of each address and for the values of a query:
// "https://user:word@host/x?key=1" is "https://***@host/x?key=***".
std::string without_credentials(std::string_view text);

}  // namespace rocenv
