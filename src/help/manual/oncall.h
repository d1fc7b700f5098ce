// SPDX-License-Identifier: MIT
// The page `rocenv help oncall`: what to do about each id that a shipped profile requires. Ids,
// meanings and commands are those of the registry and of the profiles, so that a new required
// setting has its row; whether to drain and what a ticket needs is data by group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/manual/page.h"

namespace rocenv {

// Advice for a node that fails a check of this group: whether it may run further jobs, and what the
// vendor's ticket needs. Empty if there is no ticket, since the site has set the value.
struct OncallGroup {
    std::string_view ids;  // globs by blanks
    std::string_view drain;
    std::string_view attach;
};

// Returns the group of an id, nullptr if no row fits.
const OncallGroup* oncall_group(std::string_view id);

// Returns all ids that a shipped profile requires, sorted.
std::vector<std::string> required_ids();

std::vector<Block> oncall_blocks();

}  // namespace rocenv
