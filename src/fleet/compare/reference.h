// SPDX-License-Identifier: MIT
// What nodes are held against in place of their majority.
#pragma once

#include <string>

#include "fleet/compare/compare.h"
#include "fleet/read/gather.h"

namespace rocenv {

class ProfileStore;

// Of a file that holds one node's report, or its recording. bad_input: it holds none, or several
// nodes'. What else stands in it is named in `problems`.
Result<FleetReference> reference_report(const std::string& path, FleetPools& pools,
                                        IdFilter& filter, const JudgeRecording& judge,
                                        Problems& problems);

// Of a profile, as `profile learn` writes one: what it wants of facts, if no node has it, too.
// `unused` gets the ids of what no fact can be held against, as ">=6.8" and "equal". Call it when
// all reports are in the pools.
Result<FleetReference> reference_profile(const std::string& path, const ProfileStore& store,
                                         FleetPools& pools, std::vector<std::string>& unused);

}  // namespace rocenv
