// SPDX-License-Identifier: MIT
// The default location of ROCm: /opt/rocm, a link or a tree up to ROCm 7.2. From 7.13 on it is a
// folder in which core is the link to the default tree (ROCm/TheRock
// build_tools/packaging/linux/template/scripts/amdrocm-core-postinst.j2, 2026-08).
#pragma once

#include <string_view>

namespace rocenv {

inline constexpr std::string_view rocm_default = "/opt/rocm";
inline constexpr std::string_view rocm_core = "/core";  // relative to it

}  // namespace rocenv
