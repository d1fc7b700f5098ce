// SPDX-License-Identifier: MIT
#include "variables/shown_value.h"

#include <algorithm>
#include <array>

#include "variables/catalogue.h"

namespace rocenv {

bool is_secret_name(std::string_view name) {
    constexpr std::array<std::string_view, 7> ends{
        "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD", "_API_KEY", "_ACCESS_KEY", "_CREDENTIALS"};
    if (const auto variable = find_variable(name)) {
        return is_secret(*variable);
    }
    return std::any_of(ends.begin(), ends.end(),
                       [&](std::string_view end) { return name.ends_with(end); });
}

// RFC 3986, 3.2: who asks stands between "//" and "@", and the address ends at the first "/", "?"
// or "#".
std::string without_passwords(std::string_view value) {
    constexpr std::string_view scheme_end = "://";
    std::string out;
    for (;;) {
        const auto at = value.find(scheme_end);
        if (at == std::string_view::npos) {
            return out.append(value);
        }
        const auto start = at + scheme_end.size();
        out.append(value.substr(0, start));
        value.remove_prefix(start);
        const auto end = std::min(value.find_first_of("/?# \t\n\"'"), value.size());
        const auto who_end = value.substr(0, end).rfind('@');
        if (who_end != std::string_view::npos) {
            out.append("***");
            value.remove_prefix(who_end);
        }
    }
}

}  // namespace rocenv
