// SPDX-License-Identifier: MIT
// What AMDGCN assembly says of its kernels (llvm/docs/AMDGPUUsage.rst, "Code Object Metadata" and
// "Assembler Directives"): the YAML metadata, the kernel descriptors, and what their code does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "commands/occupancy/instructions.h"
#include "commands/occupancy/scratch.h"
#include "rocenv/result.h"

namespace rocenv {

// One kernel as its file has it; nullopt: the file does not say, or says it with symbols.
struct AssemblyKernel {
    std::string name;
    std::size_t line = 0;                     // where it is first described
    std::optional<std::uint64_t> vgprs;       // .vgpr_count: with AGPRs on gfx90a and later
    std::optional<std::uint64_t> agprs;       // .agpr_count
    std::optional<std::uint64_t> sgprs;       // .sgpr_count
    std::optional<std::uint64_t> lds_bytes;   // .group_segment_fixed_size
    std::optional<std::uint64_t> work_items;  // .max_flat_workgroup_size
    Scratch scratch;
    std::optional<CodeCounts> counts;  // of its own code; nullopt: none is seen
    bool described = false;            // has an entry in the YAML metadata
    bool may_use_lds = false;          // its code does, or a function beside it, or none is seen
};

struct Assembly {
    std::string gfx;  // with features; empty: not said
    std::vector<AssemblyKernel> kernels;
};

// Never fails half-way: an error (bad_input, "FILE:LINE: WHAT") or all there is.
Result<Assembly> parse_assembly(const std::string& file, std::string_view text);

}  // namespace rocenv
