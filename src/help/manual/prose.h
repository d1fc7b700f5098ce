// SPDX-License-Identifier: MIT
// What the manual says beside the facts that the program knows: src/help/manual/manual.md and the
// marked part of profiles/README.md, which are in the binary as they are
// (scripts/cmake/manual.cmake).
//
// Of Markdown it knows headings, paragraphs, lists, tables (of two columns or more, the first is
// the term), fenced blocks, links and backticks; a line that is a picture is left out. "# TOPIC"
// begins the prose of a page.
#pragma once

#include <string_view>
#include <vector>

#include "help/manual/page.h"

namespace rocenv {

// Of a page by its topic, "check" or "profile.5"; empty: nothing is said beside the facts.
std::vector<Block> prose_of(std::string_view topic);

// The same of a text in place of ours.
std::vector<Block> prose_in(std::string_view markdown, std::string_view topic);

// Both texts, written when the program is built.
extern const std::string_view manual_text;

}  // namespace rocenv
