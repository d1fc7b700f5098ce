// SPDX-License-Identifier: MIT
// JSON as the text of a script element of HTML.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// The same JSON, in which no text can end the element, open a comment in it or be a line end of
// JavaScript: <, >, &, U+2028 and U+2029, which stand in texts only, as \uHHHH.
std::string script_text(std::string_view json);

}  // namespace rocenv
