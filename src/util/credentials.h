// SPDX-License-Identifier: MIT
// Texts without what opens something: users and passwords in addresses, values of queries.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// Returns the text with "***" for the user of each address and for the values of a query:
// "https://user:word@host/x?key=1" is "https://***@host/x?key=***". Passwords may hold bytes that
// belong elsewhere in an address ('/', '?', '#', a blank). Rather hides too much than too little.
std::string without_credentials(std::string_view text);

// The same of one value, all of which may be an address: "user:word@host:80" has no "//", and no
// quote or blank ends the password.
std::string value_without_credentials(std::string_view value);

// Returns a sentence about such a value with "***" for each word that the value is shown without.
std::string without_hidden_words(std::string sentence, std::string_view value);

}  // namespace rocenv
