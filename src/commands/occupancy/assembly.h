// SPDX-License-Identifier: MIT
// What AMDGCN assembly says of its kernels (llvm/docs/AMDGPUUsage.rst, "Code Object Metadata" and
// "Assembler Directives"): the YAML metadata, the kernel descriptors, and what their code does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "rocenv/result.h"

namespace rocenv {

// Memory of a kernel for each work-item (LLVM's private segment): spilled registers, arrays, frames
// of called functions. std::nullopt: the file does not state it.
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

// Counts of instructions in the code of a kernel (llvm/docs/AMDGPU, "Syntax of Instructions"); one
// in a loop counts once. Wide is 16 bytes a work-item.
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

// Scanner of the YAML metadata of AMDGPU kernels, line by line. It reads only the block form that
// LLVM and Tensile write, and only scalars of amdhsa.target and of the entries of amdhsa.kernels.
class MetadataScanner {
   public:
    struct Found {
        bool new_kernel = false;  // the line begins an entry of amdhsa.kernels
        bool of_kernel = false;   // key and value are of that entry; else of the document
        std::string_view key;
        std::string_view value;  // without quotes and comment; empty for a list or mapping
    };

    // Returns std::nullopt if the line states nothing of these.
    std::optional<Found> line(std::string_view text);

   private:
    std::optional<Found> outside(std::string_view text);

    bool in_kernels_ = false;
    std::optional<std::size_t> dash_;  // columns of the entries' "-" and of their keys
    std::size_t keys_ = 0;
};

struct AssemblyKernel;

// The code of an assembly file by function: that of a kernel itself, and that of functions beside
// it.
class FunctionCode {
   public:
    // A name that a label may have: only these begin a function.
    void declare(std::string name) { functions_.insert(std::move(name)); }
    std::size_t declared() const { return functions_.size(); }
    // What comes behind it is the code of that function, if it is one.
    void label(std::string_view name);
    // An instruction with the rest of its line, and what LLVM remarks of it.
    void instruction(std::string_view name, std::string_view line, std::string_view comment);
    // A comment alone in its line: LLVM sums up a function behind its code ("; ScratchSize: 16").
    void remark(std::string_view comment);

    // Tells the kernel of this symbol what is known of its code. `kernels`: the symbols of all;
    // functions beside them may be called from any.
    void tell(std::string_view symbol, const std::set<std::string, std::less<>>& kernels,
              AssemblyKernel& kernel) const;

   private:
    struct Code {
        CodeCounts counts;
        bool lds = false;
        std::uint64_t scratch_bytes = 0;
    };

    std::set<std::string, std::less<>> functions_;
    std::map<std::string, Code, std::less<>> code_;  // of functions
    Code outside_;                                   // code outside of any
    Code* current_ = &outside_;
    bool seen_ = false;
};

}  // namespace rocenv
