// SPDX-License-Identifier: MIT
#include "print/script_text.h"

namespace rocenv {

std::string script_text(std::string_view json) {
    std::string out;
    out.reserve(json.size() + json.size() / 16);
    while (!json.empty()) {
        std::size_t length = 1;
        if (json[0] == '<') {
            out += "\\u003c";
        } else if (json[0] == '>') {
            out += "\\u003e";
        } else if (json[0] == '&') {
            out += "\\u0026";
        } else if (json.starts_with("\xe2\x80\xa8") || json.starts_with("\xe2\x80\xa9")) {
            out += json[2] == '\xa8' ? "\\u2028" : "\\u2029";
            length = 3;
        } else {
            out += json[0];
        }
        json.remove_prefix(length);
    }
    return out;
}

}  // namespace rocenv
