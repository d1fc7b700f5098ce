// SPDX-License-Identifier: MIT
// A page for a terminal, and as the source of a manual page (mdoc(7)); text as roff reads it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/manual/page.h"
#include "print/style.h"

namespace rocenv {

// Text as roff takes it: nothing in it is a request or an escape of ours, and lines are short.

// Returns one word or line; text in backticks is set in bold. `typed` text keeps its quotes and
// dashes, so that it can be typed as it is shown.
enum class RoffText { running, typed };
std::string roff_text(std::string_view text, RoffText kind);

// As lines: a new one for each sentence, and for each name of a page, "rocenv-check(1)", which
// becomes a reference.
std::string roff_lines(std::string_view text);

// The words of a macro line, each of which stays one word and no macro.
std::string roff_words(std::string_view text);

// A page for a terminal, and as the source of a manual page (mdoc(7)).

std::string render_page_human(const Page& page, Screen screen);

// All pages with what they are about, and how one is printed.
std::string render_titles_human(const std::vector<PageTitle>& titles, Screen screen);

// `date` as "2026-11-22".
std::string render_page_mdoc(const Page& page, std::string_view date);

}  // namespace rocenv
