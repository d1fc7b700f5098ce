// SPDX-License-Identifier: MIT
// HIP_FORCE_DEV_KERNARG when it is not set: the one default that depends on the GPU as well as on
// the version.
#pragma once

#include "variables/reading.h"

namespace rocenv {

inline constexpr std::string_view kernarg_variable = "HIP_FORCE_DEV_KERNARG";

// On from ROCm 6.2 (ROCm/clr rocclr/utils/flags.hpp; AMD's documentation says 6.2, the flag's
// default changed in 6.1), and the default is acted on by gfx94x and gfx95x only
// (rocclr/device/rocm/rocsettings.cpp, 2025-08).
Reading kernarg_default(const Machine& machine, const Result<FoundVersion>& rocm);

}  // namespace rocenv
