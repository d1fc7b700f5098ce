// SPDX-License-Identifier: MIT
// Names of nodes in Slurm's notation: "gpu[001-412,414]". A name that needs quoting in a list (a
// blank, a comma, a bracket) is separate, in double quotes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// The limits of all lists of one command together.
inline constexpr std::size_t most_hosts = 500000;
inline constexpr std::size_t longest_host = 300;  // bytes of one name

// Orders names by bytes, and numbers in names as numbers: gpu2 before gpu10.
bool is_name_before(std::string_view a, std::string_view b);

// Returns the names folded over the last number of each, in the order of is_name_before(). Digits
// in front of that number and leading zeros are kept. Names may be in any order, but each only
// once. Empty for no name.
std::string folded_names(std::span<const std::string_view> names);

// Returns all names of a list in its order, repeated ones included. Commas, blanks and line ends
// separate names; quotes are malformed. One name may have several brackets ("r[1-2]n[01-16]").
// Fails with bad_input if the list is malformed or empty, names more than `most` nodes or has a
// name of more than longest_host bytes; the error names the limit.
Result<std::vector<std::string>> expanded_names(std::string_view list,
                                                std::size_t most = most_hosts);

}  // namespace rocenv
