// SPDX-License-Identifier: MIT
// Escapes for text in XML and in HTML's script element.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// Returns the text as content of an element or, if it is one line, of an attribute in double
// quotes. A document in UTF-8 stays well-formed for any bytes: those that XML 1.0 excludes become
// \xHH.
std::string xml_text(std::string_view text);

// Returns the same JSON, safe inside a script element. The characters <, >, &, U+2028 and U+2029,
// which occur in texts only, become \uHHHH. No text can then end the element, open a comment or be
// a line end of JavaScript.
std::string script_text(std::string_view json);

}  // namespace rocenv
