// SPDX-License-Identifier: MIT
// Renderers of a page for a terminal and as the source of a manual page (mdoc(7)), and of text for
// roff.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/manual/page.h"
#include "print/style.h"

namespace rocenv {

// Text for roff: without requests or escapes in it, and with short lines.

// Kind of a text. `typed` text keeps its quotes and dashes, so that it can be typed as shown.
enum class RoffText { running, typed };
// Returns one word or line, with text in backticks set in bold.
std::string roff_text(std::string_view text, RoffText kind);

// Returns a text in lines: one for each sentence, and one for each name of a page,
// "rocenv-check(1)", which becomes a reference. Lines longer than 78 bytes are split at blanks.
std::string roff_lines(std::string_view text);

// Returns the words of a macro line, quoted so that none is split or read as a macro.
std::string roff_words(std::string_view text);

// Returns a page for a terminal.
std::string render_page_human(const Page& page, Screen screen);

// Returns the list of all pages with their summaries, and the command that prints a page.
std::string render_titles_human(const std::vector<PageTitle>& titles, Screen screen);

// Returns the mdoc source of a page. `date` as "2026-11-22"; another text is printed unchanged.
std::string render_page_mdoc(const Page& page, std::string_view date);

}  // namespace rocenv
