// SPDX-License-Identifier: MIT
// Waivers: differences that a site accepts, as a file states them (profiles/README.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace rocenv {

// The file in which a node's administrator waives findings for all users.
inline const std::string waivers_file = "/etc/rocenv/waivers.toml";

// One waiver.
struct Waiver {
    std::string id;  // or a glob
    // A bus address, a GPU's unique id of 16 hex digits, "system" or "process"; empty: any.
    std::string target;
    std::vector<std::string> nodes;  // names or globs; empty: every node
    std::string until;               // "2027-01-31", that day included
    std::string ticket;
    std::string why;
    Place place;
};

// A parsed file of waivers.
struct WaiverFile {
    std::vector<Waiver> waivers;
    std::vector<Diagnostic> diagnostics;  // with an error, the whole file is ignored
};

// Parses a file of waivers. Never fails: faults are in `diagnostics`, sorted by line and column.
// With an error, `waivers` may hold incomplete ones. `file` is the name in messages.
WaiverFile parse_waivers(const std::string& file, std::string_view text);

}  // namespace rocenv
