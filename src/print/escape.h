// SPDX-License-Identifier: MIT
// Escapes for text inside of XML and of HTML's script element.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// The text as content of an element or, of one line, of an attribute in double quotes. Whatever
// bytes it holds, a document in UTF-8 stays well formed: what XML 1.0 cannot hold comes as \xHH.
std::string xml_text(std::string_view text);

// The same JSON, in which no text can end the element, open a comment in it or be a line end of
// JavaScript: <, >, &, U+2028 and U+2029, which stand in texts only, as \uHHHH.
std::string script_text(std::string_view json);

}  // namespace rocenv
