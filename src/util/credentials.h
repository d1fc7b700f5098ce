// SPDX-License-Identifier: MIT
// Removal of credentials from texts: users and passwords in addresses, values of queries, values of
// variables with a name of a secret.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace rocenv {

// Returns the text with "***" for the user of each address and for the values of a query:
// "https://user:word@host/x?key=1" becomes "https://***@host/x?key=***". A password may contain
// separators of an address ('/', '?', '#', a blank). A "user:word@host" without "//" may be an
// element of a list or a path. The value in "HF_TOKEN=word", "db_pass='a b'" or
// "{"HF_TOKEN": "word"}" is hidden, too, unless it is a number of at most five digits or a word for
// on or off. In doubt, more is hidden.
std::string without_credentials(std::string_view text);

// Returns whether the name is that of a secret by its end: HF_TOKEN, db_pass, PGPASSWORD.
bool is_name_of_secret(std::string_view name);

// Returns the same for one value that may be an address as a whole: "user:word@host:80" has no
// "//", and neither quote nor blank ends the password.
std::string value_without_credentials(std::string_view value);

// The words of users and passwords in values, for their removal from sentences about these values.
// A word has three or more letters, digits or bytes beyond ASCII.
class HiddenWords {
   public:
    // Adds the words of a value that value_without_credentials() hides.
    void add(std::string_view value);

    // Returns true if no value with credentials was added.
    bool empty() const { return words_.empty(); }

    // Returns the sentence with "***" for each of the words, in any case and also if "..." cut it.
    std::string removed_from(std::string sentence) const;

   private:
    bool contains(std::string_view word, bool cut) const;

    std::set<std::string> words_;  // in lower case
};

// Returns a sentence about one value without its HiddenWords. Unchanged if there are none.
std::string without_hidden_words(std::string sentence, std::string_view value);

}  // namespace rocenv
