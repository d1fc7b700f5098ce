// SPDX-License-Identifier: MIT
// Reads the reference that nodes are compared with instead of their majority.
#pragma once

#include <string>

#include "fleet/compare/compare.h"
#include "fleet/read/gather.h"

namespace rocenv {

class ProfileStore;

// Reads a file with one node's report, or its recording. Fails with bad_input if it holds none, or
// those of several nodes. Anything else in the file is listed in `problems`.
Result<FleetReference> reference_report(const std::string& path, FleetPools& pools,
                                        IdFilter& filter, const JudgeRecording& judge,
                                        Problems& problems);

// Reads a profile, as `profile learn` writes one: the facts that it wants, also those that no node
// has. `unused` gets the ids of wants that no fact can be compared with, as ">=6.8" and "equal".
// Call it when all reports are in the pools.
Result<FleetReference> reference_profile(const std::string& path, const ProfileStore& store,
                                         FleetPools& pools, std::vector<std::string>& unused);

}  // namespace rocenv
