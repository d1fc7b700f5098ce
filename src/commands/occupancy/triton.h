// SPDX-License-Identifier: MIT
// What Triton keeps of a kernel beside its assembly: LDS is given at launch, so only Triton knows
// it. Sources: triton python/triton/compiler/compiler.py (NAME.json in a cache entry: shared,
// num_warps, target; n_spills where who keeps it adds what the driver said of the loaded kernel),
// lib/Dialect/TritonGPU (module attributes ttg.shared, ttg.num-warps, earlier triton_gpu.).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rocenv/result.h"

namespace rocenv {

struct TritonFacts {
    std::optional<std::uint64_t> shared;     // bytes of LDS that the launch adds
    std::optional<std::uint64_t> num_warps;  // waves of a work-group
    std::optional<std::uint64_t> spills;     // registers of a work-item in memory, n_spills
    std::string gfx;                         // empty: not said
};

// NAME.json. bad_input when it is no JSON or a count is none.
Result<TritonFacts> triton_json(const std::string& file, std::string_view text);

// Attributes of the last module of a .ttgir, .llir or a dump of passes.
TritonFacts triton_ir(std::string_view text);

}  // namespace rocenv
