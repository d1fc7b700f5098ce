// SPDX-License-Identifier: MIT
// What errors of usage and of input files say of a name: the text as it was given, in quotes, and
// the known names that are like it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocenv {

// The printable text between single quotes, cut after `limit` bytes: 'mi300'.
std::string in_quotes(std::string_view text, std::size_t limit = 100);

// Returns "a, b or c".
std::string alternatives(std::span<const std::string> words);

// Returns the candidates with the smallest edit distance, if it is small enough for a slip of the
// finger; upper and lower case count as equal. Without such a candidate, those that contain the
// word, if it has four letters or more or is a part between dots. If some of them begin with the
// whole word, only those. At most five, those with the longest common start first.
std::vector<std::string> near_names(std::string_view word, std::span<const std::string> candidates);

// ". Did you mean 'mi300a' or 'mi300x'?"; `otherwise` if no name is near.
std::string did_you_mean(std::span<const std::string> near, std::string otherwise = "");

}  // namespace rocenv
