// SPDX-License-Identifier: MIT
// What a kernel keeps in memory of its own for each work-item (LLVM's private segment): registers
// that were spilled, arrays and the frames of functions it calls.
#pragma once

#include <cstdint>
#include <optional>

namespace rocenv {

// nullopt: nothing says.
struct Scratch {
    std::optional<std::uint64_t> vgpr_spills;  // .vgpr_spill_count
    std::optional<std::uint64_t> sgpr_spills;  // .sgpr_spill_count: to lanes of a VGPR, or memory
    std::optional<std::uint64_t> bytes;        // .private_segment_fixed_size, of a work-item
    std::optional<bool> dynamic_stack;         // and more that only the run time knows
    std::uint64_t spill_instructions = 0;      // of its own code, as LLVM remarks in it
    bool calls = false;                        // its code is there, and calls functions

    bool counted() const { return vgpr_spills && sgpr_spills; }
    bool spills() const {
        return vgpr_spills.value_or(0) > 0 || sgpr_spills.value_or(0) > 0 ||
               (!counted() && spill_instructions > 0);
    }
    // Whether that is known to be none of its own. LLVM counts those of a kernel without what it
    // calls (llvm/lib/Target/AMDGPU/AMDGPUHSAMetadataStreamer.cpp), while the scratch is for all of
    // it.
    bool none_of_its_own() const { return !spills() && counted(); }
    // Whether registers may lie in memory: they do, or nothing says what the scratch is for.
    bool may_spill() const {
        return spills() || ((calls || !none_of_its_own()) && bytes.value_or(0) > 0);
    }
};

}  // namespace rocenv
