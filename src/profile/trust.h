// SPDX-License-Identifier: MIT
// Files of profiles and waivers that users other than root can change, while root asks
// (SECURITY.md).
#pragma once

#include <string>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// The finding of a file below /etc/rocenv that was ignored.
inline const std::string trust_id = "site.trust";

// What happens to such a file below /etc/rocenv. It is never used.
enum class Untrusted { refused, ignored };

struct Doubt {
    enum class Use {
        site_ignored,  // a file below /etc/rocenv
        own_ignored,   // a file below a user's configuration folder
        named,         // used, because the command line or a profile names its path
    };
    Use use = Use::named;
    std::string file;
    Error error;  // one of not_trusted()
};
// Returns a line for stderr for each.
std::vector<std::string> doubt_lines(const std::vector<Doubt>& doubts);

// Returns whether a path, written in any way, is below /etc/rocenv or leads there by links.
bool is_site_path(const std::string& path);

}  // namespace rocenv
