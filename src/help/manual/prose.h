// SPDX-License-Identifier: MIT
// Prose of the manual beside the facts in the program: src/help/manual/manual.md and the
// marked part of profiles/README.md, which are in the binary as they are
// (scripts/cmake/manual.cmake).
//
// The reader accepts this Markdown: headings, paragraphs, lists, tables (of two columns or more,
// the first is the term), fenced blocks, links and backticks; a line that is a picture is left out.
// "# TOPIC" begins the prose of a page.
#pragma once

#include <string_view>
#include <vector>

#include "help/manual/page.h"

namespace rocenv {

// Returns the prose of a page by its topic, "check" or "profile.5"; empty if it has none.
std::vector<Block> prose_of(std::string_view topic);

// Does the same for another text than ours.
std::vector<Block> prose_in(std::string_view markdown, std::string_view topic);

// Both texts, written when the program is built.
extern const std::string_view manual_text;

}  // namespace rocenv
