// SPDX-License-Identifier: MIT
// Triton's own data on a kernel, stored beside the assembly. LDS is set at launch, so only Triton
// states it. Sources: triton python/triton/compiler/compiler.py (NAME.json in a cache entry:
// shared, num_warps, target; n_spills if the program that stored the entry added the driver's data
// on the loaded kernel), lib/Dialect/TritonGPU (module attributes ttg.shared, ttg.num-warps,
// earlier triton_gpu.).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/result.h"

namespace rocenv {

// Facts of one kernel; std::nullopt: not stated.
struct TritonFacts {
    std::optional<std::uint64_t> shared;     // bytes of LDS that the launch adds
    std::optional<std::uint64_t> num_warps;  // waves of a work-group
    std::optional<std::uint64_t> spills;     // registers of a work-item in memory, n_spills
    std::string gfx;                         // empty: not stated
};

// Parses NAME.json; other members are ignored. Fails with bad_input if the text is not a valid JSON
// object, a member is repeated, or a count is invalid.
Result<TritonFacts> triton_json(const std::string& file, std::string_view text);

// Returns the attributes of the last module of a .ttgir, .llir or a dump of passes, without
// `spills`. Never fails.
TritonFacts triton_ir(std::string_view text);

}  // namespace rocenv
