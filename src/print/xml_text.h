// SPDX-License-Identifier: MIT
// Text inside of XML.
#pragma once

#include <string>
#include <string_view>

namespace rocenv {

// The text as content of an element or, of one line, of an attribute in double quotes. Whatever
// bytes it holds, a document in UTF-8 stays well formed: what XML 1.0 cannot hold comes as \xHH.
std::string xml_text(std::string_view text);

}  // namespace rocenv
