// SPDX-License-Identifier: MIT
// Removal of credentials from texts: users and passwords in addresses, values of queries, values of
// variables with a name of a secret.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// Returns the text with "***" for the user of each address and for the values of a query:
// "https://user:word@host/x?key=1" becomes "https://***@host/x?key=***". A password may contain
// separators of an address ('/', '?', '#', a blank). The value in "HF_TOKEN=word" is hidden, too,
// for names that end with TOKEN, SECRET, PASSWORD or similar in upper case. In doubt, more is
// hidden.
std::string without_credentials(std::string_view text);

// Returns the same for one value that may be an address as a whole: "user:word@host:80" has no
// "//", and neither quote nor blank ends the password.
std::string value_without_credentials(std::string_view value);

// Returns a sentence about such a value with "***" for each word that value_without_credentials()
// hides, if it has three or more letters and digits. Unchanged if that hides nothing.
std::string without_hidden_words(std::string sentence, std::string_view value);

}  // namespace rocenv
