// SPDX-License-Identifier: MIT
// The contents of AMDGCN assembly (llvm/docs/AMDGPUUsage.rst, "Code Object Metadata" and "Assembler
// Directives"): the YAML metadata, the kernel descriptors, and counts of the kernels' instructions.
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

// Memory of a kernel for each work-item (LLVM's private segment): spilled registers, arrays, and
// frames of called functions. std::nullopt: the file does not state the number.
struct Scratch {
    std::optional<std::uint64_t> vgpr_spills;  // .vgpr_spill_count
    std::optional<std::uint64_t> sgpr_spills;  // .sgpr_spill_count: to VGPR lanes, or memory
    std::optional<std::uint64_t> bytes;        // .private_segment_fixed_size of one work-item
    std::optional<bool> dynamic_stack;         // needs more memory, which only the runtime knows
    std::uint64_t spill_instructions = 0;      // in its own code, as marked by LLVM's comments
    bool calls = false;                        // its code is in the file and calls functions

    // Returns whether the metadata has both spill counts.
    bool counted() const { return vgpr_spills && sgpr_spills; }
    // Returns whether the kernel's own registers are spilled.
    bool spills() const {
        return vgpr_spills.value_or(0) > 0 || sgpr_spills.value_or(0) > 0 ||
               (!counted() && spill_instructions > 0);
    }
    // Returns whether the kernel is known to spill no registers of its own. LLVM counts spills
    // without those of called functions (llvm/lib/Target/AMDGPU/AMDGPUHSAMetadataStreamer.cpp),
    // while the scratch memory includes them.
    bool none_of_its_own() const { return !spills() && counted(); }
    // Returns whether registers may be in memory: they are, or the purpose of the scratch memory is
    // unknown.
    bool may_spill() const {
        return spills() || ((calls || !none_of_its_own()) && bytes.value_or(0) > 0);
    }
};

// Counts of instructions in the code of a kernel (llvm/docs/AMDGPU, "Syntax of Instructions"). An
// instruction in a loop counts once. Wide means 16 bytes for each work-item.
struct CodeCounts {
    std::uint64_t loads = 0;       // from memory other than scratch
    std::uint64_t wide_loads = 0;  // dwordx4, b128
    std::uint64_t lds_reads = 0;
    std::uint64_t wide_lds_reads = 0;  // b128, two of b64
    std::uint64_t waits = 0;           // for memory or LDS
    std::uint64_t mfma = 0;            // matrix instructions, sparse ones too
    std::uint64_t spills = 0;          // spills and reloads, as marked by LLVM's comments
    std::uint64_t calls = 0;           // calls of functions, which may keep registers in memory
};

// Counts the instruction with this name; other instructions change nothing. If LLVM's comment marks
// a spill or a reload ("4-byte Folded Reload"), the instruction moves a register without room and
// is not counted as a load.
void count_instruction(std::string_view name, std::string_view comment, CodeCounts& into);

// Returns whether an instruction reads or writes LDS. `line` is the whole instruction without
// comment.
bool uses_lds(std::string_view name, std::string_view line);

// One kernel of a file. std::nullopt: the file does not state the number, or uses symbols for it.
struct AssemblyKernel {
    std::string name;
    std::size_t line = 0;                     // line of its first description
    std::optional<std::uint64_t> vgprs;       // .vgpr_count: with AGPRs on gfx90a and later
    std::optional<std::uint64_t> agprs;       // .agpr_count
    std::optional<std::uint64_t> sgprs;       // .sgpr_count
    std::optional<std::uint64_t> lds_bytes;   // .group_segment_fixed_size
    std::optional<std::uint64_t> work_items;  // .max_flat_workgroup_size
    Scratch scratch;
    std::optional<CodeCounts> counts;  // counts of its own code; std::nullopt: no code in the file
    bool described = false;            // has an entry in the YAML metadata
    bool may_use_lds = false;  // its code or another function uses LDS, or the file has no code
};

// The contents of one file.
struct Assembly {
    std::string gfx;  // with features; empty: not stated
    std::vector<AssemblyKernel> kernels;
};

// Parses a file completely, or fails with bad_input and "FILE:LINE: WHAT"; without LINE for a
// binary file or one without a kernel. Limits are 10,000 kernels or functions, and 4 MiB of names.
Result<Assembly> parse_assembly(const std::string& file, std::string_view text);

// Scanner of the YAML metadata of AMDGPU kernels, line by line. Reads only the block form that LLVM
// and Tensile write, and only scalars of amdhsa.target and of the entries of amdhsa.kernels.
class MetadataScanner {
   public:
    // A key with its value.
    struct Found {
        bool new_kernel = false;  // the line begins an entry of amdhsa.kernels
        bool of_kernel = false;   // key and value belong to that entry, otherwise to the document
        std::string_view key;
        std::string_view value;  // without quotes and comment; empty for a list or mapping
    };

    // Returns the key of the next line, of the document or of a kernel; std::nullopt for a line
    // without one, such as a nested or blank line.
    std::optional<Found> line(std::string_view text);

   private:
    std::optional<Found> outside(std::string_view text);

    bool in_kernels_ = false;
    std::optional<std::size_t> dash_;  // columns of the entries' "-" and of their keys
    std::size_t keys_ = 0;
};

struct AssemblyKernel;

// The code of an assembly file by function: kernels and other functions.
class FunctionCode {
   public:
    // Adds the name of a function. Only labels with these names begin a function.
    void declare(std::string name) { functions_.insert(std::move(name)); }
    // Returns the number of declared functions.
    std::size_t declared() const { return functions_.size(); }
    // Starts the code of that function if the label is the name of one.
    void label(std::string_view name);
    // Adds an instruction. `line` is the whole instruction without comment, as for uses_lds();
    // `comment` is LLVM's comment on the line.
    void instruction(std::string_view name, std::string_view line, std::string_view comment);
    // Reads a comment that fills its line. LLVM prints a summary behind the code of a function (";
    // ScratchSize: 16").
    void remark(std::string_view comment);

    // Adds the known facts about the code of this symbol to the kernel. `kernels` are the symbols
    // of all kernels; any kernel may call other functions.
    void assign(std::string_view symbol, const std::set<std::string, std::less<>>& kernels,
                AssemblyKernel& kernel) const;

   private:
    struct Code {
        CodeCounts counts;
        bool lds = false;
        std::uint64_t scratch_bytes = 0;
    };

    std::set<std::string, std::less<>> functions_;
    std::map<std::string, Code, std::less<>> code_;  // code by function
    Code outside_;                                   // code outside of any function
    Code* current_ = &outside_;
    bool seen_ = false;
};

}  // namespace rocenv
