// SPDX-License-Identifier: MIT
// Prose of the manual in addition to the program's data: src/help/manual/manual.md and the marked
// part of profiles/README.md. The build puts both texts unchanged into the program
// (scripts/cmake/manual.cmake).
//
// The reader accepts this Markdown: headings, paragraphs, lists, tables (of two columns or more,
// with the term in the first), fenced blocks, links and backticks. A line that is a picture is left
// out. "# TOPIC" begins the prose of a page.
#pragma once

#include <string_view>
#include <vector>

#include "help/manual/page.h"

namespace rocenv {

// Returns the prose of a page by its topic, "check" or "profile.5"; empty if it has none.
std::vector<Block> prose_of(std::string_view topic);

// Does the same for another text.
std::vector<Block> prose_in(std::string_view markdown, std::string_view topic);

// Both texts, added by the build.
extern const std::string_view manual_text;

}  // namespace rocenv
