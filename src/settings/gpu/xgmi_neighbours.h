// SPDX-License-Identifier: MIT
// Numbers of xGMI hops and links in a hive, and the direct neighbours of the dies of modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocenv/setting.h"

namespace rocenv {

// The numbers of one GPU about the other members of its hive, sorted, without its own.
using HiveNumbers = std::vector<std::uint64_t>;

// The files xgmi_num_hops and xgmi_num_links of a GPU.
struct HiveRow {
    HiveNumbers hops;
    HiveNumbers links;
};

// Returns "1 1 2".
std::string numbers_text(const HiveNumbers& numbers);

// Returns a finding for each die of a module (MI250, MI250X) with fewer direct neighbours than at
// least three quarters of the dies of its whole hive, and for each whose hops in KFD differ from
// those in `files`, which has the dies whose files were read, by address. Hives whose dies differ
// by design, or that lack a die, have no such majority.
std::vector<Assessment> odd_neighbours(const Context& context,
                                       const std::map<std::string, HiveRow>& files);

}  // namespace rocenv
