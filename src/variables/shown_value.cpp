// SPDX-License-Identifier: MIT
#include "variables/shown_value.h"

#include <algorithm>
#include <array>

#include "util/text.h"
#include "variables/catalogue.h"

namespace rocenv {

bool is_secret_name(std::string_view name) {
    constexpr std::array<std::string_view, 9> ends{"_token",  "_secret", "_password",
                                                   "_passwd", "_pass",   "_pwd",
                                                   "_key",    "_key_id", "_credentials"};
    if (const auto variable = find_variable(name)) {
        return is_secret(*variable);
    }
    const std::string whole = "_" + lower_case(name);  // of PASSWORD as of MY_PASSWORD
    return std::any_of(ends.begin(), ends.end(),
                       [&](std::string_view end) { return whole.ends_with(end); });
}

}  // namespace rocenv
