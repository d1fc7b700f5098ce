// SPDX-License-Identifier: MIT
// HIP_FORCE_DEV_KERNARG when it is not set: the one default that depends on the GPU as well as on
// the version.
#pragma once

#include "variables/reading.h"

namespace rocenv {

inline constexpr std::string_view kernarg_variable = "HIP_FORCE_DEV_KERNARG";

// On from ROCm 6.1.2 (ROCm/clr rocclr/utils/flags.hpp of the releases; AMD's documentation says
// 6.2), and the default is acted on by gfx94x and gfx95x only
// (rocclr/device/rocm/rocsettings.cpp, 2025-08).
Reading kernarg_default(const Machine& machine, const Result<FoundVersion>& rocm);

// What keeps an explicit 1 from taking effect on these GPUs: since the sources of 2024-10 the
// runtime leaves kernel arguments in host memory on gfx908 behind PCIe, which all MI100 are, unless
// DEBUG_CLR_KERNARG_HDP_FLUSH_WA is on. `is_worked_around` says whether that is so.
std::optional<std::string> kernarg_stays_on_host(const Machine& machine,
                                                 const Result<FoundVersion>& rocm,
                                                 bool is_worked_around);

}  // namespace rocenv
