// SPDX-License-Identifier: MIT
// Texts about names in errors of usage and of input files: the given text in quotes, and similar
// known names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// Returns the printable() text in single quotes: 'mi300'. It is cut after `limit` bytes, followed
// by "...".
std::string in_quotes(std::string_view text, std::size_t limit = 100);

// Returns "a, b or c"; empty without words.
std::string alternatives(std::span<const std::string> words);

// Returns the candidates with the smallest edit distance, if it is small enough for a slip of the
// finger. The limit is 1 up to three letters, else a third of the word but at least 2. Upper and
// lower case count as equal. Without such a candidate, returns those that contain the word, if it
// has four letters or more or is a part between dots. If some of them begin with the whole word,
// only those. At most five, those with the longest common start first, then by bytes.
std::vector<std::string> near_names(std::string_view word, std::span<const std::string> candidates);

// Returns ". Did you mean 'mi300a' or 'mi300x'?"; `otherwise` if no name is similar.
std::string did_you_mean(std::span<const std::string> near, std::string otherwise = "");

}  // namespace rocenv
