// SPDX-License-Identifier: MIT
// Options as what the folders below are asked for.
#pragma once

#include "cli/options.h"
#include "profile/request.h"

namespace rocenv {

struct ResetRequest;  // transaction/set.h
struct SetRequest;

// What --sysroot names, else "/".
std::string root_of(const MachineOptions& options);

// Of another environment than the caller's nothing but the environment is judged.
CheckRequest check_request(const CheckOptions& options);
CheckRequest check_request(const SetOptions& options);
CheckRequest check_request(const EnvOptions& options);
CheckRequest check_request(const RunOptions& options);
// What settings are judged by, and whose environment is asked about.
CheckRequest check_request(const ExplainOptions& options);
// Of one recording that fleet reads.
CheckRequest fleet_check_request(const FleetOptions& options, const std::string& file,
                                 const std::string& node);

SetRequest set_request(const SetOptions& options);
// Of --tune, still without the name of its hold.
SetRequest set_request(const RunOptions& options);

ResetRequest reset_request(const ResetOptions& options);

}  // namespace rocenv
