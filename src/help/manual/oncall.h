// SPDX-License-Identifier: MIT
// The page `rocenv help oncall`: instructions for each id that a shipped profile requires. Ids,
// meanings and commands come from the registry and the profiles, so that a new required setting
// gets its row. Advice on draining a node and on tickets is data by group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "help/manual/page.h"

namespace rocenv {

// Advice for a node that fails a check of this group: whether it may run further jobs, and the
// contents of the vendor's ticket. The latter is empty if the site sets the value, so that no
// ticket is needed.
struct OncallGroup {
    std::string_view ids;  // globs, separated by blanks
    std::string_view drain;
    std::string_view attach;
};

// Returns the first group that matches an id, or nullptr if none does.
const OncallGroup* oncall_group(std::string_view id);

// Returns all ids that a shipped profile requires, sorted, each once; of variables "env.NAME".
std::vector<std::string> required_ids();

// Returns the page as blocks: settings, then variables, each sorted by id.
std::vector<Block> oncall_blocks();

}  // namespace rocenv
