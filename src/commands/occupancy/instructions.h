// SPDX-License-Identifier: MIT
// What single AMDGCN instructions say of a kernel (llvm/docs/AMDGPU, "Syntax of Instructions").
#pragma once

#include <cstdint>
#include <string_view>

namespace rocenv {

// Instructions as they stand in the code: one in a loop counts once. Wide is 16 bytes a work-item.
struct CodeCounts {
    std::uint64_t loads = 0;       // from memory, but not from scratch
    std::uint64_t wide_loads = 0;  // dwordx4, b128
    std::uint64_t lds_reads = 0;
    std::uint64_t wide_lds_reads = 0;  // b128, two of b64
    std::uint64_t waits = 0;           // for memory or LDS
    std::uint64_t mfma = 0;            // matrix instructions, sparse ones too
    std::uint64_t spills = 0;          // and reloads: what LLVM remarks to be one
    std::uint64_t calls = 0;           // of functions, which may keep registers in memory
};

// Adds the instruction that is named so. What LLVM's comment calls a spill or a reload ("4-byte
// Folded Reload") is of a register for which there was no room, and no load.
void count_instruction(std::string_view name, std::string_view comment, CodeCounts& into);

// Returns whether an instruction reads or writes LDS; `line` is all of it, without comment.
bool uses_lds(std::string_view name, std::string_view line);

}  // namespace rocenv
