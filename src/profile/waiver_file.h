// SPDX-License-Identifier: MIT
// Waivers: what a site knows and lives with, as a file states it (profiles/README.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace rocenv {

// What a node's administrator waives for everybody.
inline const std::string waivers_file = "/etc/rocenv/waivers.toml";

struct Waiver {
    std::string id;                  // or a glob
    std::string target;              // a bus address, a GPU's unique id in hex; empty: any
    std::vector<std::string> nodes;  // names or globs; empty: every node
    std::string until;               // "2027-01-31", that day included
    std::string ticket;
    std::string why;
    Place place;
};

struct WaiverFile {
    std::vector<Waiver> waivers;
    std::vector<Diagnostic> diagnostics;  // errors: none of the file is taken
};

// Never fails: what is wrong is in `diagnostics`.
WaiverFile parse_waivers(const std::string& file, std::string_view text);

}  // namespace rocenv
