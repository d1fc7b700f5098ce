// SPDX-License-Identifier: MIT
// The page of `rocenv fleet --format html` around its data: fleet.html with fleet.css, fleet.js and
// their hashes in it, made when the program is built (scripts/cmake/fleet_page.cmake).
#pragma once

#include <string_view>

namespace rocenv {

extern const std::string_view fleet_page_start;
extern const std::string_view fleet_page_end;

}  // namespace rocenv
