// SPDX-License-Identifier: MIT
// What rocenv occupancy is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rocenv {

struct OccupancyOptions {
    std::optional<std::string> arch;  // nothing: what the file says, else this node's GPU
    std::optional<std::uint64_t> vgprs;
    std::optional<std::uint64_t> agprs;
    std::optional<std::uint64_t> sgprs;
    std::optional<std::uint64_t> lds;    // bytes of a work-group
    std::optional<std::uint64_t> waves;  // of a work-group
    std::optional<std::uint64_t> grid;   // work-groups
    std::vector<std::string> assembly;   // files
    std::vector<std::string> triton;     // folders
};

class CommandOptions;

void add_occupancy_options(CommandOptions& command, OccupancyOptions& into);

}  // namespace rocenv
