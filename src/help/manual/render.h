// SPDX-License-Identifier: MIT
// A page for a terminal, and as the source of a manual page (mdoc(7)).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/manual/page.h"
#include "print/style.h"

namespace rocenv {

std::string render_page_human(const Page& page, Colour colour);

// All pages with what they are about.
std::string render_titles_human(const std::vector<PageTitle>& titles, Colour colour);

// `date` as "2026-11-22".
std::string render_page_mdoc(const Page& page, std::string_view date);

}  // namespace rocenv
